import { isConflict, isNotFound, unlessNotFound } from '../runtime/api-error.ts';
import type { Loop, Outcome, Request } from '../runtime/controller.ts';
import { keyOf } from '../runtime/kube-object.ts';
import { forEach } from '../runtime/many.ts';
import { mayRun } from '../runtime/pods/pod-state.ts';
import { nodes, type Pod, pods } from '../runtime/resources.ts';
import { leftovers, missingNodes, quarantine } from './plan.ts';

/** How often it looks, in milliseconds. */
const period = 20_000;

/** Looks at all pods now and then, and removes those that nobody else will. */
async function collect(request: Request, missingSince: Map<string, number>): Promise<Outcome> {
  const { read, clock } = request;
  const all = read(pods).all();
  const missing = missingNodes(all, (name) => read(nodes).find(name) !== undefined);
  for (const name of missingSince.keys()) if (!missing.has(name)) missingSince.delete(name);
  const gone = new Set<string>();
  for (const name of missing) {
    const since = missingSince.get(name) ?? clock.now();
    missingSince.set(name, since);
    if (clock.now() - since >= quarantine && (await isGone(request, name))) gone.add(name);
  }
  const { orphaned, unplaced, ended } = leftovers(all, gone);
  await forEach([...new Set([...orphaned, ...unplaced, ...ended])], (pod) => remove(request, pod, orphaned));
  return period;
}

const isGone = async ({ client }: Request, name: string): Promise<boolean> =>
  (await unlessNotFound(client.get(nodes, { name }))) === undefined;

/** One that cannot be removed is tried again at the next look, which the others need not wait for any longer. */
async function remove(request: Request, pod: Pod, orphaned: readonly Pod[]): Promise<void> {
  try {
    await end(request, pod, orphaned);
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) request.log.error(`${keyOf(pod)} is not removed`, error);
  }
}

/** Whoever waits for a pod to end, such as a Job, is to see that it has. */
async function end({ write }: Request, pod: Pod, orphaned: readonly Pod[]): Promise<void> {
  let last = pod;
  if (orphaned.includes(pod) && mayRun(pod))
    last = await write(pods).replace(pod, { ...pod, status: { ...pod.status, phase: 'Failed' } }, 'status');
  await write(pods).delete(last, { gracePeriodSeconds: 0 });
}

/** The controller `podgc`. */
export function podGarbageCollectionLoops(): readonly Loop[] {
  const missingSince = new Map<string, number>();
  return [
    {
      name: 'podgc',
      seeds: ['all'],
      watches: [],
      reads: [pods, nodes],
      reconcile: (request) => collect(request, missingSince),
    },
  ];
}
