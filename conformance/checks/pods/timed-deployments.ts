import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { conditionOf } from '../../verbs/states.ts';
import { run, runAll, unscheduled } from './node-play.ts';
import { startWorkload } from './own-pods.ts';

const says = (type: string, status: string, reason: string) => (seen: Json) => {
  const condition = conditionOf({ status: seen }, type);
  return condition?.status === status && condition.reason === reason;
};

/**
 * A Deployment says when it has made no progress for as long as it may, and its set goes by the time that it asks for now.
 * What it has rolled out stays so, though its pods are available no longer.
 */
export async function keepsTimes(context: RuleContext): Promise<void> {
  const { deployments, replicaSets, pods, waitUntil, longPatience, expect } = context;
  await preparePods(context);
  const spec = { progressDeadlineSeconds: 2, template: { spec: unscheduled } };
  const deployment = await startWorkload(context, deployments, spec);
  const limit = { limit: longPatience };
  const [pod] = await deployment.untilOwn('it has its pod', pods, 1);
  await deployment.untilTold('its time is over', says('Progressing', 'False', 'ProgressDeadlineExceeded'));
  await run(context, pod);
  const isDone = says('Progressing', 'True', 'NewReplicaSetAvailable');
  await deployment.untilTold('it has got there', isDone);
  await deployment.change({ minReadySeconds: 3600, progressDeadlineSeconds: 7200 });
  const times = async () => (await deployment.own(replicaSets)).map((set) => set.spec.minReadySeconds);
  await waitUntil('its set asks for an hour', times, (seen) => seen.join() === '3600', limit);
  const isTold = ({ readyReplicas, availableReplicas = 0 }: Json): boolean =>
    readyReplicas === 1 && availableReplicas === 0;
  const { status } = await deployment.untilTold('its pod has not been ready for that long', isTold);
  expect(isDone(status), 'that it was rolled out is said still').toBe(true);
}

/** A Deployment that makes its pods anew all at once may lack none of them: it has no limits to roll by. */
export async function asksForAll(context: RuleContext): Promise<void> {
  const { deployments, pods } = context;
  await preparePods(context);
  const spec = { replicas: 4, strategy: { type: 'Recreate' }, template: { spec: unscheduled } };
  const deployment = await startWorkload(context, deployments, spec);
  const four = await deployment.untilOwn('it has its pods', pods, 4);
  await runAll(context, four.slice(1));
  const lacks = says('Available', 'False', 'MinimumReplicasUnavailable');
  const isShort = (status: Json): boolean => status.availableReplicas === 3 && lacks(status);
  await deployment.untilTold('three of four are not enough', isShort);
  await runAll(context, four.slice(0, 1));
  await deployment.untilTold('four are enough', says('Available', 'True', 'MinimumReplicasAvailable'));
}
