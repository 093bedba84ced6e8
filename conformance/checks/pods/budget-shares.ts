import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { nameOf } from '../../verbs/states.ts';
import { runAll, unscheduled } from './node-play.ts';
import { startWorkload } from './own-pods.ts';

/** A budget of a share is of what is wanted, rounded up, and counts pods that are ready as long as they are not going. */
export async function countsShares(context: RuleContext): Promise<void> {
  const { replicaSets, pods, waitUntil, patience } = context;
  await preparePods(context);
  const set = await startWorkload(context, replicaSets, { replicas: 3, template: { spec: unscheduled } });
  const three = await set.untilOwn('it has its pods', pods, 3);
  const until = await budgetOf(context, three[0]?.metadata.labels.app);
  const ofThree = { expectedPods: 3, desiredHealthy: 2 };
  await until('none is healthy', { ...ofThree, currentHealthy: 0, disruptionsAllowed: 0 });
  await runAll(context, three);
  await until('all are healthy', { ...ofThree, currentHealthy: 3, disruptionsAllowed: 1 });
  const going = nameOf(three[0]);
  await pods.merge(going, { metadata: { finalizers: ['example.com/hold'] } });
  await pods.remove(going);
  await until('one is going', { ...ofThree, currentHealthy: 2, disruptionsAllowed: 0 });
  const letGo = () => pods.patch(going, { metadata: { finalizers: null } });
  await waitUntil('it can be let go of', letGo, ({ status }) => status === 200, { limit: patience * 2 });
}

/** A budget of half of the pods with this label, and what waits until its status says this. */
async function budgetOf({ podDisruptionBudgets: budgets, waitUntil, longPatience }: RuleContext, app: string) {
  const { metadata } = await budgets.create({ spec: { minAvailable: '50%', selector: { matchLabels: { app } } } });
  return (what: string, wanted: Json) =>
    waitUntil(
      what,
      async () => (await budgets.read(metadata.name)).status ?? {},
      (status) => Object.entries(wanted).every(([name, value]) => (status[name] ?? 0) === value),
      { limit: longPatience },
    );
}
