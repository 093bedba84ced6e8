import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { nameOf } from '../../verbs/states.ts';
import { runAll, unscheduled } from './node-play.ts';
import { ofTemplate, startWorkload, templateOf, type Workload } from './own-pods.ts';

interface Numbered extends Workload {
  readonly look: () => Promise<readonly Json[]>;
  /** Until its pods are of these templates, by their numbers. */
  readonly until: (what: string, ...templates: readonly number[]) => Promise<readonly Json[]>;
}

async function startNumbered(context: RuleContext, replicas: number, more: Json): Promise<Numbered> {
  const { statefulSets, pods, waitUntil, longPatience } = context;
  await preparePods(context);
  const template = { spec: { ...unscheduled, terminationGracePeriodSeconds: 11 } };
  const set = await startWorkload(context, statefulSets, { replicas, template, ...more });
  const look = () => set.own(pods);
  const are = (templates: readonly number[]) => (seen: readonly Json[]) =>
    seen.map((pod) => `${nameOf(pod)}: ${templateOf(pod)}`).join() ===
    templates.map((seconds, number) => `${set.name}-${number}: ${seconds}`).join();
  const until: Numbered['until'] = (what, ...templates) =>
    waitUntil(what, look, are(templates), { limit: longPatience });
  return { ...set, look, until };
}

/**
 * The pods of a StatefulSet come in the order of their numbers, each once those before it are ready, and go the other way
 * round, each once those behind it are gone.
 */
export async function keepsOrder(context: RuleContext): Promise<void> {
  const set = await startNumbered(context, 3, {});
  await set.until('the first pod comes', 11);
  await set.untilTold('it is told of', ({ replicas }) => replicas === 1);
  context.expect((await set.look()).length, 'pods before the first is ready').toBe(1);
  await runAll(context, await set.look());
  await set.until('the second comes', 11, 11);
  await runAll(context, await set.look());
  await set.until('the third comes', 11, 11, 11);
  await runAll(context, await set.look());
  await set.untilTold('all are ready', ({ readyReplicas }) => readyReplicas === 3);
  await goesBackwards(context, set);
}

async function goesBackwards({ pods, waitUntil, patience, expect }: RuleContext, set: Numbered): Promise<void> {
  const last = `${set.name}-2`;
  await pods.merge(last, { metadata: { finalizers: ['example.com/hold'] } });
  await set.change({ replicas: 1 });
  await set.until('the last is going', 11, 11);
  // Another change, of nothing that matters here, tells that somebody has looked since.
  await set.change({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } });
  await set.untilTold('it was looked at', () => true);
  expect((await set.look()).length, 'pods while the last is held').toBe(2);
  const letGo = () => pods.patch(last, { metadata: { finalizers: null } });
  await waitUntil('it can be let go of', letGo, isOk, { limit: patience * 2 });
  await set.until('the first is left', 11);
}

const isOk = ({ status }: { readonly status: number }): boolean => status === 200;

/** A new template is for the pods from its partition on; those before it keep theirs, also where they are made anew. */
export async function keepsPartition(context: RuleContext): Promise<void> {
  const { pods, waitUntil, longPatience } = context;
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } };
  const set = await startNumbered(context, 2, { podManagementPolicy: 'Parallel', updateStrategy });
  await set.until('its pods come', 11, 11);
  await runAll(context, await set.look());
  await set.untilTold('they are ready', ({ readyReplicas }) => readyReplicas === 2);
  await set.change(ofTemplate(12));
  await set.until('the pod behind the partition is of the new template', 11, 12);
  await runAll(context, await set.look());
  const isRolled = ({ updatedReplicas, readyReplicas }: Json): boolean => updatedReplicas === 1 && readyReplicas === 2;
  await set.untilTold('it is ready', isRolled);
  const [first] = await set.look();
  await pods.remove(nameOf(first), { query: { gracePeriodSeconds: 0 } });
  const isAnother = ([pod]: readonly Json[]): boolean =>
    pod !== undefined && nameOf(pod) === nameOf(first) && pod.metadata.uid !== first.metadata.uid;
  await waitUntil('the first pod is made anew', set.look, isAnother, { limit: longPatience });
  await set.until('the pod before the partition is of the old template', 11, 12);
}
