import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { fail, runAll, unscheduled } from './node-play.ts';
import { ofTemplate, startWorkload, templateOf, type Workload } from './own-pods.ts';

/** The one pod of a workload fails, and goes to make room for another: which this answers. */
export async function comesAnew(context: RuleContext, { own }: Pick<Workload, 'own'>): Promise<Json> {
  const { pods, waitUntil, longPatience } = context;
  const [failed] = await own(pods);
  await fail(context, failed);
  const isAnother = (seen: readonly Json[]): boolean =>
    seen.length === 1 && seen[0]?.metadata.uid !== failed.metadata.uid;
  const limit = { limit: longPatience };
  const [next] = await waitUntil('a pod that failed makes room for another', () => own(pods), isAnother, limit);
  return next;
}

/** Where pods of a StatefulSet are replaced by hand alone a new template changes none, until one has to come anew. */
export async function waitsForHands(context: RuleContext): Promise<void> {
  const { statefulSets, pods, expect } = context;
  await preparePods(context);
  const template = { spec: { ...unscheduled, terminationGracePeriodSeconds: 11 } };
  const set = await startWorkload(context, statefulSets, { updateStrategy: { type: 'OnDelete' }, template });
  await runAll(context, await set.untilOwn('it has its pod', pods, 1));
  // Else its first status may be told when the next template is there already.
  await set.untilTold(
    'its pod is ready',
    (status) => status.currentRevision !== undefined && status.readyReplicas === 1,
  );
  await set.change(ofTemplate(12));
  const isKnown = ({ currentRevision, updateRevision }: Json): boolean => currentRevision !== updateRevision;
  await set.untilTold('the new template is known', isKnown);
  expect((await set.own(pods)).map(templateOf), 'pods that nobody has deleted').toEqual([11]);
  expect(templateOf(await comesAnew(context, set)), 'the template of a pod that comes anew').toBe(12);
}
