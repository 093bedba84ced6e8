import { bringing, indexBy, itself, type Loop, type Outcome, type Request } from '../runtime/controller.ts';
import { keyOf, nameOf } from '../runtime/kube-object.ts';
import { nodes, pods } from '../runtime/resources.ts';
import { hasNoExecute, waitBeforeEviction } from './plan.ts';

/** The index of pods by their node. */
const byNode = 'node';

/** Takes pods off nodes that are not for them any longer. */
async function evict({ key, read, write, clock, events }: Request, seen: Map<string, number>): Promise<Outcome> {
  const pod = read(pods).find(key);
  const node = pod && read(nodes).find(pod.spec?.nodeName ?? '');
  if (!pod || !node || !hasNoExecute(node)) {
    if (node) seen.delete(nameOf(node));
    return undefined;
  }
  const since = seen.get(nameOf(node)) ?? clock.now();
  seen.set(nameOf(node), since);
  const wait = waitBeforeEviction(pod, node, since, clock.now());
  if (wait !== 0) return wait;
  const note = `Marking for deletion Pod ${keyOf(pod)}`;
  events.record(pod, { reason: 'TaintManagerEviction', action: 'Evicting', note });
  await write(pods).delete(pod);
  return undefined;
}

/** The controller `taint-eviction`. */
export function taintEvictionLoops(): readonly Loop[] {
  const seen = new Map<string, number>();
  return [
    {
      name: 'taint-eviction',
      watches: [
        itself(pods, ({ spec }) => Boolean(spec?.nodeName)),
        bringing(nodes, (node, read) =>
          hasNoExecute(node) ? read(pods).indexed(byNode, nameOf(node)).map(keyOf) : [],
        ),
      ],
      indexes: [indexBy(pods, byNode, ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []))],
      concurrency: 4,
      reconcile: (request) => evict(request, seen),
    },
  ];
}
