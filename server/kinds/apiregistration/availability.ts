import { type Clock, formatTime } from '../../base/clock.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../base/kube-object.ts';
import type { Cancel } from '../../base/timers.ts';
import { carryOut } from '../../base/work.ts';
import { WorkQueue } from '../../base/work-queue.ts';
import { trackUpdate } from '../../patch/apply/track-update.ts';
import { structureOfKind } from '../../schema/load.ts';
import { follow } from '../../store/follow.ts';
import { objectKey } from '../../store/object-keys.ts';
import { KeyMissingError, type Store } from '../../store/store.ts';
import type { KindSurroundings } from '../strategy.ts';
import { type ApiService, available, type Condition } from './api-service-shape.ts';

const apiServices = { group: 'apiregistration.k8s.io', resource: 'apiservices' };
const services = { group: '', resource: 'services' };
const endpoints = { group: '', resource: 'endpoints' };
/** The name under which the server owns what it writes here. */
const manager = 'kube-apiserver';

interface Port {
  readonly name?: string;
  readonly port?: number;
}

export interface Service extends KubeObject {
  readonly spec?: { readonly type?: string; readonly ports?: readonly Port[] };
}

export interface Endpoints extends KubeObject {
  readonly subsets?: readonly { readonly addresses?: readonly object[] | null; readonly ports?: readonly Port[] }[];
}

type Verdict = Required<Pick<Condition, 'status' | 'reason' | 'message'>>;

/** Why nobody serves a group that a Service of the cluster is to serve: this server passes no requests on to it. */
export function verdictOn(
  { namespace = '', name = '', port = 443 }: NonNullable<NonNullable<ApiService['spec']>['service']>,
  service: Service | undefined,
  found: Endpoints | undefined,
): Verdict {
  const what = `service/${name} in ${JSON.stringify(namespace)}`;
  const no = (reason: string, message: string): Verdict => ({ status: 'False', reason, message });
  if (!service) return no('ServiceNotFound', `${what} is not present`);
  if (service.spec?.type !== 'ExternalName') {
    const wanted = service.spec?.ports?.find((each) => each.port === port);
    if (!wanted) return no('ServicePortError', `${what} is not listening on port ${port}`);
    if (!found) return no('EndpointsNotFound', `cannot find endpoints for ${what}`);
    const portName = wanted.name ?? '';
    if (!leads(found, portName))
      return no(
        'MissingEndpoints',
        `endpoints for ${what} have no addresses with port name ${JSON.stringify(portName)}`,
      );
  }
  return no('FailedDiscoveryCheck', `this server passes no requests on to ${what}`);
}

const leads = ({ subsets = [] }: Endpoints, portName: string): boolean =>
  subsets.some(({ addresses, ports }) => addresses?.length && ports?.some(({ name = '' }) => name === portName));

/**
 * Keeps the condition `Available` of every APIService that names a Service true to what is there of it. What was stored
 * before is looked at before this resolves. @returns what ends it
 */
export async function followBackends({ store, clock, timers, report }: KindSurroundings): Promise<Cancel> {
  /** The keys of Service and Endpoints, by that of the APIService that names them. */
  const backends = new Map<string, readonly string[]>();
  const queue = new WorkQueue((key) => judge(store, clock, key), timers, report);
  const backendChanged = ({ key }: { readonly key: string }) => {
    for (const [apiService, keys] of backends) if (keys.includes(key)) queue.add(apiService);
  };
  const following = [
    await follow(store, apiServices, {
      each: ({ key, current }) => {
        const service = (current?.value as ApiService | undefined)?.spec?.service;
        if (!service) return void backends.delete(key);
        backends.set(key, keysOf(service));
        queue.add(key);
      },
    }),
    await follow(store, services, { each: backendChanged }),
    await follow(store, endpoints, { each: backendChanged }),
  ];
  await queue.idle();
  return async () => {
    for (const each of following) each.stop();
    await queue.stop();
  };
}

const keysOf = ({ namespace = '', name = '' }: NonNullable<NonNullable<ApiService['spec']>['service']>) =>
  [services, endpoints].map((kind) => objectKey(kind, namespace, name));

async function judge(store: Store, clock: Clock, key: string): Promise<void> {
  try {
    await store.update(key, async ({ value }) => {
      const apiService = value as ApiService;
      const { service } = apiService.spec ?? {};
      if (!service) return { keep: true };
      const [found, its] = await Promise.all(keysOf(service).map((each) => store.get(each)));
      const verdict = verdictOn(service, found?.value as Service | undefined, its?.value as Endpoints | undefined);
      const next = await withVerdict(apiService, verdict, clock.now());
      return next ? { write: next } : { keep: true };
    });
  } catch (error) {
    if (!(error instanceof KeyMissingError)) throw error;
  }
}

/** The APIService with the condition, and the server as the one who set it; undefined: it says so already. */
async function withVerdict(apiService: ApiService, verdict: Verdict, now: number): Promise<ApiService | undefined> {
  const conditions = apiService.status?.conditions ?? [];
  const before = conditions.find(({ type }) => type === available);
  const same = before?.status === verdict.status;
  if (same && before.reason === verdict.reason && before.message === verdict.message) return undefined;
  const lastTransitionTime = (same && before.lastTransitionTime) || formatTime(now);
  const condition = { type: available, ...verdict, lastTransitionTime };
  const others = conditions.filter((each) => each !== before);
  const next: ApiService = {
    ...apiService,
    metadata: { ...apiService.metadata },
    status: { ...apiService.status, conditions: [...others, condition] },
  };
  return { ...next, metadata: { ...next.metadata, managedFields: await bookedBy(apiService, next, now) } };
}

async function bookedBy(live: ApiService, next: ApiService, now: number): Promise<ManagedFieldsEntry[]> {
  const structure = structureOfKind(apiServices.group, 'v1', 'APIService');
  if (!structure) throw new Error('no structure of APIService');
  const { kind, apiVersion, metadata, status = {} } = next;
  const booked = { structure, manager, apiVersion, subresource: 'status', now };
  // Of an object that nobody manages only the status is booked.
  const isManaged = Boolean(metadata.managedFields?.length);
  const written = isManaged ? { live, next } : { next: { kind, apiVersion, metadata: {}, status } };
  return [...(await carryOut(trackUpdate({ ...booked, ...written })))];
}
