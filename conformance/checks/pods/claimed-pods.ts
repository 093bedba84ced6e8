import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { nameOf } from '../../verbs/states.ts';
import { unscheduled } from './node-play.ts';
import { startWorkload } from './own-pods.ts';

const managerOf = ({ metadata }: Json): string | undefined =>
  metadata.ownerReferences?.find(({ controller }: Json) => controller)?.name;

/** A pod that its set selects no more is let go of, and has another in its place; and is taken again once it is selected. */
export async function claimsPods(context: RuleContext): Promise<void> {
  const { replicaSets, pods, waitUntil, longPatience } = context;
  await preparePods(context);
  const set = await startWorkload(context, replicaSets, { template: { spec: unscheduled } });
  const limit = { limit: longPatience };
  const [pod] = await set.untilOwn('it has its pod', pods, 1);
  const { app } = pod.metadata.labels;
  await pods.merge(nameOf(pod), { metadata: { labels: { app: `${app}-no-more` } } });
  const look = async () => managerOf(await pods.read(nameOf(pod)));
  await waitUntil('a pod that it selects no more is let go of', look, (manager) => manager === undefined, limit);
  await set.untilOwn('another has its place', pods, 1);
  await set.change({ replicas: 0 });
  await set.untilOwn('none is wanted', pods, 0);
  // Nobody else would delete it: it is one of the set's, and one too many.
  await pods.merge(nameOf(pod), { metadata: { labels: { app } } });
  const isGoing = ({ status, body }: Json): boolean => status === 404 || body.metadata.deletionTimestamp !== undefined;
  await waitUntil('the pod is taken, and is too many', () => pods.get(nameOf(pod)), isGoing, limit);
}
