import { networkInterfaces } from 'node:os';
import { deepEqual } from './base/deep-equal.ts';
import { FieldPath } from './base/field-path.ts';
import type { Ids } from './base/ids.ts';
import type { KubeObject } from './base/kube-object.ts';
import { type Clock, formatTime } from './base/time/clock.ts';
import { pause, type Timers } from './base/time/timers.ts';
import { WorkQueue } from './base/turns/work-queue.ts';
import { listOf, textOf } from './base/untyped.ts';
import { addressOfOthers } from './kinds/core/reachable-address.ts';
import { ownEntry, wholeFields } from './patch/apply/own-entry.ts';
import type { Log } from './request/log.ts';
import { objectKey, type StoredKind } from './store/object-keys.ts';
import type { Peers, Store } from './store/store.ts';

export interface OwnAddress {
  readonly ip: string;
  readonly port: number;
}

/** Where others would look for the server: its own address, or where that is this machine alone, the machine's. */
export function ownAddress(bindAddress: string, port: number): OwnAddress | undefined {
  const outside = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  const ip = [bindAddress, ...outside].find(isForOthers);
  return ip === undefined ? undefined : { ip, port };
}

const isForOthers = (ip: string): boolean => addressOfOthers(ip, FieldPath.root).length === 0;

const endpoints: StoredKind = { group: '', resource: 'endpoints' };
const endpointSlices: StoredKind = { group: 'discovery.k8s.io', resource: 'endpointslices' };
const place = { name: 'kubernetes', namespace: 'default' };

/** What a create of it sets: its labels, and each of its members as a whole. */
function fieldsOf(labels: object, { kind: _kind, apiVersion: _apiVersion, metadata: _metadata, ...told }: KubeObject) {
  return { 'f:metadata': { 'f:labels': { '.': {}, ...wholeFields(labels) } }, ...wholeFields(told) };
}

interface Surroundings {
  readonly store: Pick<Store, 'upsert'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

interface Publisher extends Surroundings {
  readonly timers: Timers;
  readonly log: Log;
  /** Missing: there are no others. */
  readonly peers: Peers | undefined;
}

/** Milliseconds between two looks at who else is there, and for the farewell. */
const patience = { look: 10_000, leave: 1000 };

/**
 * Publishes where this server and its peers are as long as it runs, and tries again where that fails: a server whose store
 * is full still serves what it has. Resolves after the first try. @returns what ends it; the others stay published
 */
export async function keepPublished(services: Publisher, own: OwnAddress): Promise<() => Promise<void>> {
  const { timers, log, peers } = services;
  const report = (error: unknown) => log.error('Service kubernetes', error);
  const queue = new WorkQueue(() => publishAll(services, own), timers, report);
  queue.add(place.name);
  await queue.idle();
  if (!peers) return () => queue.stop();
  const cancel = timers.every(patience.look, () => queue.add(place.name));
  const leave = async () => {
    await queue.stop();
    await peers.leave(nameOf(own));
    await publishEndpoints(services, addressesOf(await peers.all(), own));
  };
  return async () => {
    cancel();
    // Nobody waits long for an etcd that does not answer: who says nothing any more is gone some seconds later.
    await Promise.race([leave().catch(report), pause(timers, patience.leave)]);
  };
}

async function publishAll(services: Publisher, own: OwnAddress): Promise<void> {
  const { peers } = services;
  await peers?.tell(nameOf(own), endpointsOf([own]));
  await publishEndpoints(services, peers ? addressesOf(await peers.all(), own) : [own]);
}

/** Servers of one machine have one address. */
const nameOf = ({ ip, port }: OwnAddress): string => `${ip}:${port}`;

/** A v1.25 server names no port: it has the same one as the others, of which all have to think alike. */
function addressesOf(said: readonly KubeObject[], own: OwnAddress): OwnAddress[] {
  const all = said.flatMap(({ subsets }) =>
    listOf(subsets).map((subset) => ({
      ip: textOf(listOf(subset['addresses'])[0]?.['ip']),
      port: Number(listOf(subset['ports'])[0]?.['port'] ?? 0),
    })),
  );
  const usual = all.find(({ port }) => port > 0)?.port ?? own.port;
  const known = all.filter(({ ip }) => ip).map(({ ip, port }) => ({ ip, port: port || usual }));
  return [...new Map(known.map((address) => [nameOf(address), address])).values()];
}

const portsOf = (port: number) => [{ name: 'https', port, protocol: 'TCP' }];

function endpointsOf(addresses: readonly OwnAddress[]): KubeObject {
  const subsets = [...Map.groupBy(addresses, ({ port }) => port)].map(([port, group]) => ({
    addresses: group.map(({ ip }) => ({ ip })),
    ports: portsOf(port),
  }));
  return { kind: 'Endpoints', apiVersion: 'v1', metadata: {}, subsets };
}

/** A slice has one set of ports, and addresses of one family: those of the first. */
function sliceOf(addresses: readonly OwnAddress[], { ip: first, port }: OwnAddress): KubeObject {
  const alike = (one: OwnAddress) => one.port === port && one.ip.includes(':') === first.includes(':');
  return {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    metadata: {},
    addressType: first.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: addresses.filter(alike).map(({ ip }) => ({ addresses: [ip], conditions: { ready: true } })),
    ports: portsOf(port),
  };
}

/** What is behind the Service `kubernetes`, in both forms. Where nobody is left, what was last there stays. */
export async function publishEndpoints(
  { store, clock, ids }: Surroundings,
  addresses: readonly OwnAddress[],
): Promise<void> {
  const [first] = addresses;
  if (!first) return;
  const keep = (kind: StoredKind, labels: Readonly<Record<string, string>>, told: KubeObject, more = {}) =>
    store.upsert(objectKey(kind, place.namespace, place.name), (current) => {
      if (current && deepEqual({ ...current.value, metadata: {} }, { ...told, metadata: {} })) return { keep: true };
      const now = clock.now();
      const managedFields = [ownEntry(told.apiVersion, fieldsOf(labels, told), now)];
      const fresh = { ...place, uid: ids.uid(), creationTimestamp: formatTime(now), labels, ...more, managedFields };
      return { write: { ...told, metadata: { ...(current?.value.metadata ?? fresh) } } };
    });
  const sliceLabels = { 'kubernetes.io/service-name': place.name };
  await Promise.all([
    keep(endpoints, { 'endpointslice.kubernetes.io/skip-mirror': 'true' }, endpointsOf(addresses)),
    keep(endpointSlices, sliceLabels, sliceOf(addresses, first), { generation: 1 }),
  ]);
}
