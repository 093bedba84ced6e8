import { unlessNotFound } from '../runtime/api-error.ts';
import { bringing, itself, type Loop, type Outcome, type Request } from '../runtime/controller.ts';
import { keyOf, nameOf, uidOf } from '../runtime/kube-object.ts';
import { byNode, podsOn } from '../runtime/pods/pods-on-node.ts';
import { nodes, pods } from '../runtime/resources.ts';
import { hasNoExecute, waitBeforeEviction } from './plan.ts';

/** Since when a pod bears a taint for a time alone. Another of its name has a time of its own. */
interface Bearing {
  readonly uid: string;
  readonly since: number;
}

/** Takes pods off nodes that are not for them any longer. */
async function evict(request: Request, bearing: Map<string, Bearing>): Promise<Outcome> {
  const { key, read, write, client, clock, events } = request;
  const pod = read(pods).find(key);
  const node = pod && read(nodes).find(pod.spec?.nodeName ?? '');
  if (!pod || !node) return void bearing.delete(key);
  const known = bearing.get(key);
  const since = known?.uid === uidOf(pod) ? known.since : clock.now();
  const wait = waitBeforeEviction(pod, node, since, clock.now());
  if (wait === undefined) return void bearing.delete(key);
  bearing.set(key, { uid: uidOf(pod), since });
  if (wait > 0) return wait;
  // Deleting is for good, and pods come to a node as soon as a taint has gone: look at the node itself once more.
  const fresh = await unlessNotFound(client.get(nodes, { name: nameOf(node) }));
  const stillWaits = fresh && waitBeforeEviction(pod, fresh, since, clock.now());
  if (stillWaits !== 0) return stillWaits;
  const note = `Marking for deletion Pod ${keyOf(pod)}`;
  events.record(pod, { reason: 'TaintManagerEviction', action: 'Evicting', note });
  await write(pods).delete(pod);
  return undefined;
}

/** The controller `taint-eviction`. */
export function taintEvictionLoops(): readonly Loop[] {
  const bearing = new Map<string, Bearing>();
  return [
    {
      name: 'taint-eviction',
      watches: [
        itself(pods, ({ spec }) => Boolean(spec?.nodeName)),
        bringing(nodes, (node, read) => (hasNoExecute(node) ? podsOn(read, nameOf(node)).map(keyOf) : [])),
      ],
      indexes: [byNode],
      concurrency: 4,
      reconcile: (request) => evict(request, bearing),
    },
  ];
}
