import { deepEqual } from '../../base/deep-equal.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../base/kube-object.ts';
import { formatTime } from '../../base/time/clock.ts';
import type { Cancel } from '../../base/time/timers.ts';
import { carryOut } from '../../base/turns/work.ts';
import { WorkQueue } from '../../base/turns/work-queue.ts';
import { localVerdict } from '../../kinds/apiregistration/api-service.ts';
import { type ApiService, available, type Condition } from '../../kinds/apiregistration/api-service-shape.ts';
import type { KindSurroundings } from '../../kinds/strategy.ts';
import { trackUpdate } from '../../patch/apply/track-update.ts';
import { structureOfKind } from '../../schema/load.ts';
import { follow } from '../../store/follow.ts';
import { objectKey } from '../../store/object-keys.ts';
import { KeyMissingError, type Store } from '../../store/store.ts';
import { type AggregatedApi, apiServices } from './aggregated-apis.ts';

const services = { group: '', resource: 'services' };
const endpoints = { group: '', resource: 'endpoints' };
/** Milliseconds after which a backend is asked once more. */
const askedEvery = 5000;
/** Characters of a failure that are told. */
const longestReason = 1000;
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

/** Asks the other server for what it serves. @throws Error why it does not answer so */
type Ask = (api: AggregatedApi) => Promise<void>;

interface Surroundings extends KindSurroundings {
  /** The backend of an APIService; undefined: this server. */
  readonly read: (apiService: ApiService) => AggregatedApi | undefined;
  readonly ask: Ask;
}

const no = (reason: string, message: string): Verdict => ({ status: 'False', reason, message });

/** What of the cluster is missing for somebody to be asked; undefined: nothing. */
export function whatLacks(
  { namespace, name, port }: AggregatedApi['service'],
  service: Service | undefined,
  found: Endpoints | undefined,
): Verdict | undefined {
  const what = `service/${name} in ${JSON.stringify(namespace)}`;
  if (!service) return no('ServiceNotFound', `${what} is not present`);
  if (service.spec?.type === 'ExternalName') return undefined;
  const wanted = service.spec?.ports?.find((each) => each.port === port);
  if (!wanted) return no('ServicePortError', `${what} is not listening on port ${port}`);
  if (!found) return no('EndpointsNotFound', `cannot find endpoints for ${what}`);
  const portName = wanted.name ?? '';
  if (leads(found, portName)) return undefined;
  return no('MissingEndpoints', `endpoints for ${what} have no addresses with port name ${JSON.stringify(portName)}`);
}

async function answerOf(api: AggregatedApi, ask: Ask): Promise<Verdict> {
  try {
    await ask(api);
    return { status: 'True', reason: 'Passed', message: 'all checks passed' };
  } catch (error) {
    return no('FailedDiscoveryCheck', `no answer that tells what is served: ${String(error).slice(0, longestReason)}`);
  }
}

const leads = ({ subsets = [] }: Endpoints, portName: string): boolean =>
  subsets.some(({ addresses, ports }) => addresses?.length && ports?.some(({ name = '' }) => name === portName));

/**
 * Keeps the condition `Available` of every APIService that names a Service true to what is there of it and what it
 * answers, which nobody waits for. @returns what ends it
 */
export async function followBackends(surroundings: Surroundings): Promise<Cancel> {
  const { store, timers, report, read } = surroundings;
  /** The keys of Service and Endpoints, by that of the APIService that names them. */
  const backends = new Map<string, readonly string[]>();
  const queue = new WorkQueue((key) => judge(surroundings, key), timers, report);
  const backendChanged = ({ key }: { readonly key: string }) => {
    for (const [apiService, keys] of backends) if (keys.includes(key)) queue.add(apiService);
  };
  const following = [
    await follow(store, apiServices, {
      each: ({ key, current }) => {
        const api = current && read(current.value as ApiService);
        if (api) backends.set(key, keysOf(api));
        else backends.delete(key);
        if (api || (current && isStale(current.value as ApiService))) queue.add(key);
      },
    }),
    await follow(store, services, { each: backendChanged }),
    await follow(store, endpoints, { each: backendChanged }),
  ];
  const asksAgain = timers.every(askedEvery, () => {
    for (const key of backends.keys()) queue.add(key);
  });
  return async () => {
    asksAgain();
    for (const each of following) each.stop();
    await queue.stop();
  };
}

/** Whether it tells of a server that it does not name any more. */
const isStale = ({ status }: ApiService): boolean =>
  status?.conditions?.some(({ type, reason }) => type === available && reason !== localVerdict.reason) ?? false;

const keysOf = ({ service: { namespace, name } }: AggregatedApi) =>
  [services, endpoints].map((kind) => objectKey(kind, namespace, name));

async function judge({ store, clock, read, ask }: Surroundings, key: string): Promise<void> {
  const apiService = (await store.get(key))?.value as ApiService | undefined;
  if (!apiService) return;
  const api = read(apiService);
  const verdict = api ? await verdictOn(api, store, ask) : localVerdict;
  try {
    await store.update(key, async ({ value }) => {
      // Of what it became meanwhile, the next look tells.
      if (!deepEqual((value as ApiService).spec, apiService.spec)) return { keep: true };
      const next = await withVerdict(value as ApiService, verdict, clock.now());
      return next ? { write: next } : { keep: true };
    });
  } catch (error) {
    if (!(error instanceof KeyMissingError)) throw error;
  }
}

async function verdictOn(api: AggregatedApi, store: Store, ask: Ask): Promise<Verdict> {
  const [found, its] = await Promise.all(keysOf(api).map((each) => store.get(each)));
  const lacks = whatLacks(api.service, found?.value as Service | undefined, its?.value as Endpoints | undefined);
  return lacks ?? answerOf(api, ask);
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
