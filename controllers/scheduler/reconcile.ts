import { isNotFound } from '../runtime/api-error.ts';
import { formatTime } from '../runtime/clock.ts';
import { bringing, indexBy, itself, type Loop, type Reconciler, type Request } from '../runtime/controller.ts';
import { keyOf, nameOf, namespaceOf, uidOf } from '../runtime/kube-object.ts';
import { nodes, type Pod, pods } from '../runtime/resources.ts';
import { isWaiting, placePod } from './plan.ts';

/** A scheduler that knows readiness, taints, node selectors and the number of pods; enough for tests and laptops. */
const reconcile: Reconciler = async (request) => {
  const { key, read, client, events } = request;
  const pod = read(pods).find(key);
  if (!pod || !isWaiting(pod)) return undefined;
  const load = (node: string) => read(pods).indexed(perNode, node).length;
  const placement = placePod(pod, read(nodes).all(), load);
  if ('why' in placement) return sayUnschedulable(request, pod, placement.why);
  const { namespace, name } = { namespace: namespaceOf(pod), name: nameOf(pod) };
  const binding = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { namespace, name, uid: uidOf(pod) },
    target: { apiVersion: 'v1', kind: 'Node', name: placement.node },
  };
  try {
    await client.create(pods, binding, { namespace, name, part: 'binding' });
  } catch (error) {
    // Gone: nothing is left to do.
    if (!isNotFound(error)) throw error;
    return undefined;
  }
  const note = `Successfully assigned ${keyOf(pod)} to ${placement.node}`;
  events.record(pod, { reason: 'Scheduled', action: 'Binding', note });
  return undefined;
};

async function sayUnschedulable({ write, events, clock }: Request, pod: Pod, message: string): Promise<undefined> {
  events.record(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note: message });
  const before = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (before?.status === 'False' && before.message === message) return undefined;
  const lastTransitionTime = before?.status === 'False' ? before.lastTransitionTime : formatTime(clock.now());
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastTransitionTime };
  await write(pods).patchAnyway(pod, { status: { conditions: [condition] } }, { part: 'status', type: 'strategic' });
  return undefined;
}

const perNode = 'pods per node';

export const schedulerLoops: readonly Loop[] = [
  {
    name: 'scheduler',
    watches: [
      itself(pods, isWaiting),
      bringing(nodes, (_node, read) => read(pods).indexed(perNode, '').filter(isWaiting).map(keyOf)),
    ],
    indexes: [
      indexBy(pods, perNode, (pod) =>
        pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed' ? [] : [pod.spec?.nodeName ?? ''],
      ),
    ],
    concurrency: 8,
    reconcile,
  },
];
