import { networkInterfaces } from 'node:os';
import { type Clock, formatTime } from './base/clock.ts';
import { deepEqual } from './base/deep-equal.ts';
import { FieldPath } from './base/field-path.ts';
import type { Ids } from './base/ids.ts';
import type { KubeObject } from './base/kube-object.ts';
import { ownEntry } from './base/own-entry.ts';
import type { Cancel, Timers } from './base/timers.ts';
import { WorkQueue } from './base/work-queue.ts';
import { addressOfOthers } from './kinds/core/reachable-address.ts';
import type { Log } from './request/log.ts';
import { objectKey, type StoredKind } from './store/object-keys.ts';
import type { Store } from './store/store.ts';

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
  const each = (names: object) => Object.fromEntries(Object.keys(names).map((name) => [`f:${name}`, {}]));
  return { 'f:metadata': { 'f:labels': { '.': {}, ...each(labels) } }, ...each(told) };
}

interface Surroundings {
  readonly store: Pick<Store, 'upsert'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Publishes them, and tries again where that fails: a server whose store is full still serves what it has. Resolves after the
 * first try. @returns what ends it
 */
export async function keepPublished(
  services: Surroundings & { readonly timers: Timers; readonly log: Log },
  own: OwnAddress,
): Promise<Cancel> {
  const { timers, log } = services;
  const report = (error: unknown) => log.error('Service kubernetes', error);
  const queue = new WorkQueue(() => publishEndpoints(services, own), timers, report);
  queue.add(place.name);
  await queue.idle();
  return () => queue.stop();
}

/** What is behind the Service `kubernetes`, in both forms; the newest server's address counts. */
export async function publishEndpoints({ store, clock, ids }: Surroundings, { ip, port }: OwnAddress): Promise<void> {
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  const keep = (kind: StoredKind, labels: Readonly<Record<string, string>>, told: KubeObject, first = {}) =>
    store.upsert(objectKey(kind, place.namespace, place.name), (current) => {
      if (current && deepEqual({ ...current.value, metadata: {} }, { ...told, metadata: {} })) return { keep: true };
      const now = clock.now();
      const managedFields = [ownEntry(told.apiVersion, fieldsOf(labels, told), now)];
      const fresh = { ...place, uid: ids.uid(), creationTimestamp: formatTime(now), labels, ...first, managedFields };
      return { write: { ...told, metadata: { ...(current?.value.metadata ?? fresh) } } };
    });
  await keep(
    endpoints,
    { 'endpointslice.kubernetes.io/skip-mirror': 'true' },
    { kind: 'Endpoints', apiVersion: 'v1', metadata: {}, subsets: [{ addresses: [{ ip }], ports }] },
  );
  await keep(
    endpointSlices,
    { 'kubernetes.io/service-name': place.name },
    {
      kind: 'EndpointSlice',
      apiVersion: 'discovery.k8s.io/v1',
      metadata: {},
      addressType: ip.includes(':') ? 'IPv6' : 'IPv4',
      endpoints: [{ addresses: [ip], conditions: { ready: true } }],
      ports,
    },
    { generation: 1 },
  );
}
