import { claimsOf } from '../protection/plan.ts';
import { isNamespaceTerminating, isNotFound, unlessNotFound } from '../runtime/api-error.ts';
import { formatTime } from '../runtime/clock.ts';
import { bringing, indexBy, itself, type Loop, type Outcome, type Read, type Request } from '../runtime/controller.ts';
import { keyOf, labelsOf, nameOf, namespaceOf, uidOf } from '../runtime/kube-object.ts';
import {
  namespaces,
  nodes,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storageClasses,
} from '../runtime/resources.ts';
import { provide, volumesFor } from './bind-volumes.ts';
import { isLoner } from './neighbours.ts';
import { claimObjection, isWaiting, nowhere, type Placement, placePod } from './plan.ts';
import { isLate, type Volumes, volumeObjection } from './volumes.ts';

/** What one scheduler remembers of pods, by their keys. */
interface Memory {
  /** As they were bound: until the cache shows it, they take their room all the same. */
  readonly bound: Map<string, Pod>;
  /** Those that found no place, or whose volumes are not there yet. */
  readonly unplaced: Set<string>;
}

/** A scheduler that knows what most pods ask of nodes and of each other; enough for tests and laptops. */
async function reconcile(request: Request, memory: Memory): Promise<Outcome> {
  const { key, read } = request;
  const { bound, unplaced } = memory;
  const pod = read(pods).find(key);
  const isFresh = pod && isWaiting(pod) && uidOf(bound.get(key) ?? {}) === uidOf(pod);
  if (isFresh) return undefined;
  bound.delete(key);
  unplaced.delete(key);
  if (!pod || !isWaiting(pod)) return undefined;
  const volumes = volumesFor(pod, read);
  const placement = place(pod, volumes, read, bound);
  const waits = 'why' in placement || volumes.claims.some(isLate);
  if (waits) unplaced.add(key);
  if ('why' in placement) return sayUnschedulable(request, pod, placement.why);
  const { node } = placement;
  // Its claims bring it back once they have their volumes, and volumes where one goes before that.
  if (waits) return provide(request, volumes, node);
  return bind(request, { ...pod, spec: { containers: [], ...pod.spec, nodeName: node } }, bound);
}

function place(pod: Pod, volumes: Volumes, read: Read, bound: Memory['bound']): Placement {
  const all = read(nodes).all();
  const unclaimed = volumes.claims.flatMap((each) => claimObjection(pod, each) ?? []);
  if (unclaimed.length > 0) return { why: nowhere(all.length, unclaimed) };
  const fresh = [...bound].flatMap(([key, each]) => (isWaiting(read(pods).find(key) ?? each) ? each : []));
  return placePod(pod, {
    nodes: all,
    podsOn: (node) => [...read(pods).indexed(perNode, node), ...fresh.filter(({ spec }) => spec?.nodeName === node)],
    loners: [...read(pods).indexed(perNode, loners), ...fresh.filter(isLoner)],
    volumeObjection: (node) => volumeObjection(volumes, node),
    labelsOfNamespace: (name) => labelsOf(read(namespaces).find(name) ?? {}),
  });
}

/** Binds a pod to the node that it names. */
async function bind({ key, client, events }: Request, pod: Pod, bound: Memory['bound']): Promise<undefined> {
  const { namespace, name, node } = { namespace: namespaceOf(pod), name: nameOf(pod), node: pod.spec?.nodeName ?? '' };
  const binding = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { namespace, name, uid: uidOf(pod) },
    target: { apiVersion: 'v1', kind: 'Node', name: node },
  };
  bound.set(key, pod);
  try {
    await client.create(pods, binding, { namespace, name, part: 'binding' });
  } catch (error) {
    bound.delete(key);
    // Gone, or about to go with its namespace: nothing is left to do.
    if (!isNotFound(error) && !isNamespaceTerminating(error)) throw error;
    return undefined;
  }
  events.record(pod, { reason: 'Scheduled', action: 'Binding', note: `Successfully assigned ${key} to ${node}` });
  return undefined;
}

async function sayUnschedulable({ write, events, clock }: Request, pod: Pod, message: string): Promise<undefined> {
  const before = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (before?.status === 'False' && before.message === message) return undefined;
  events.record(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note: message });
  const lastTransitionTime = before?.status === 'False' ? before.lastTransitionTime : formatTime(clock.now());
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastTransitionTime };
  await unlessNotFound(write(pods).patch(pod, { status: { conditions: [condition] } }, 'status', 'strategic'));
  return undefined;
}

/** Pods that have not ended, by their node; under a name that no node has, those that want to be alone too. */
const perNode = 'pods per node';
const loners = ' loners';

function placesOf(pod: Pod): readonly string[] {
  const { phase } = pod.status ?? {};
  if (phase === 'Succeeded' || phase === 'Failed') return [];
  const { nodeName = '' } = pod.spec ?? {};
  return nodeName && isLoner(pod) ? [nodeName, loners] : [nodeName];
}

const waitingPods = (read: Read): readonly Pod[] => read(pods).indexed(perNode, '').filter(isWaiting);

export function schedulerLoops(): readonly Loop[] {
  const memory: Memory = { bound: new Map(), unplaced: new Set() };
  return [
    {
      name: 'scheduler',
      watches: [
        itself(pods, isWaiting),
        // One that goes makes room, and one that comes may be what others want to be near.
        bringing(pods, (pod) => (isWaiting(pod) ? [] : [...memory.unplaced])),
        bringing(persistentVolumes, () => [...memory.unplaced]),
        bringing(storageClasses, () => [...memory.unplaced]),
        bringing(nodes, (_node, read) => waitingPods(read).map(keyOf)),
        bringing(persistentVolumeClaims, (claim, read) =>
          waitingPods(read)
            .filter((pod) => namespaceOf(pod) === namespaceOf(claim) && claimsOf(pod).includes(nameOf(claim)))
            .map(keyOf),
        ),
      ],
      reads: [namespaces],
      indexes: [indexBy(pods, perNode, placesOf)],
      concurrency: 8,
      reconcile: (request) => reconcile(request, memory),
    },
  ];
}
