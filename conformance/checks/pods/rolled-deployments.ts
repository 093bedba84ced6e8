import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { preparePods } from '../../verbs/pods.ts';
import { conditionOf, nameOf } from '../../verbs/states.ts';
import { nodeOfNobody, run, runAll, unscheduled } from './node-play.ts';
import { ofTemplate, startWorkload, templateOf, type Workload } from './own-pods.ts';

const revision = 'deployment.kubernetes.io/revision';

/** The revisions of the sets of a Deployment, by their templates. */
const revisionsOf = async ({ replicaSets }: RuleContext, { own }: Workload): Promise<Json> =>
  Object.fromEntries(
    (await own(replicaSets)).map((set) => [templateOf(set.spec.template), set.metadata.annotations?.[revision]]),
  );

type UntilRevisions = (what: string, accept: (seen: Json) => boolean) => Promise<unknown>;

const are = (wanted: Json) => (seen: Json) => JSON.stringify(seen) === JSON.stringify(wanted);

/**
 * Each template of a Deployment has a set with its revision, which is the newest one again once the template is; of sets that
 * have no pods any more it keeps as many as it says. While it is paused, a new template gets none.
 */
export async function keepsRevisions(context: RuleContext): Promise<void> {
  const { deployments, waitUntil, longPatience } = context;
  const deployment = await startWorkload(context, deployments, { replicas: 0, ...ofTemplate(11) });
  const until: UntilRevisions = (what, accept) =>
    waitUntil(what, () => revisionsOf(context, deployment), accept, { limit: longPatience });
  await until('its template has a set', are({ 11: '1' }));
  await deployment.change(ofTemplate(12));
  await until('another template has another set', are({ 11: '1', 12: '2' }));
  await deployment.change(ofTemplate(11));
  await until('the set of the first template is the newest again', are({ 11: '3', 12: '2' }));
  const isSaid = ({ metadata }: Json): boolean => metadata.annotations?.[revision] === '3';
  await waitUntil('the Deployment says so', deployment.read, isSaid, { limit: longPatience });
  await deployment.change({ ...ofTemplate(13), revisionHistoryLimit: 1 });
  await until('one set is left beside the newest', (seen) => seen[13] === '4' && Object.keys(seen).length === 2);
  await waitsInPause(context, deployment, until);
}

async function waitsInPause(context: RuleContext, deployment: Workload, until: UntilRevisions): Promise<void> {
  // Of sets as old as each other releases before v1.21 may drop the newest.
  await deployment.change({ ...ofTemplate(14), paused: true, revisionHistoryLimit: 10 });
  await deployment.untilTold('it was looked at while it is paused', () => true);
  const templates = Object.keys(await revisionsOf(context, deployment));
  context.expect(templates, 'a template that came in a pause').not.toContain('14');
  await deployment.change({ paused: false });
  await until('the pause is over', (seen) => seen[14] === '5');
}

/** How many pods a Deployment has of each template. */
const podsOf = async ({ pods }: RuleContext, { own }: Workload): Promise<Readonly<Record<number, number>>> => {
  const counts: Record<number, number> = {};
  for (const pod of await own(pods)) counts[templateOf(pod)] = (counts[templateOf(pod)] ?? 0) + 1;
  return counts;
};

/** All pods of a template run and are ready. */
const runThose = async (context: RuleContext, { own }: Workload, template: number): Promise<void> =>
  runAll(
    context,
    (await own(context.pods)).filter((pod) => templateOf(pod) === template),
  );

const onePodMore = { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };

/** A Deployment goes from one template to the next, pod by pod: none goes before another is ready, and none in a pause. */
export async function rollsPods(context: RuleContext): Promise<void> {
  const { deployments, waitUntil, longPatience } = context;
  await preparePods(context);
  const template = { spec: { ...unscheduled, terminationGracePeriodSeconds: 11 } };
  const deployment = await startWorkload(context, deployments, { replicas: 2, ...onePodMore, template });
  const look = () => podsOf(context, deployment);
  const until = (what: string, old: number, next: number) =>
    waitUntil(what, look, (seen) => (seen[11] ?? 0) === old && (seen[12] ?? 0) === next, { limit: longPatience });
  await until('it has its pods', 2, 0);
  await runThose(context, deployment, 11);
  await deployment.untilTold('they are ready', ({ availableReplicas }) => availableReplicas === 2);
  await deployment.change(ofTemplate(12));
  await until('one pod comes', 2, 1);
  await keepsOld(context, deployment);
  await deployment.change({ paused: false });
  await until('another pod comes', 1, 2);
  await runThose(context, deployment, 12);
  await until('the old pods are gone', 0, 2);
  const isDone = (status: Json): boolean => {
    const progress = conditionOf({ status }, 'Progressing');
    const isTold = progress?.status === 'True' && progress.reason === 'NewReplicaSetAvailable';
    return isTold && status.updatedReplicas === 2 && status.replicas === 2;
  };
  await deployment.untilTold('it is done', isDone);
}

/** Until the new pod is ready, and after that in a pause. */
async function keepsOld(context: RuleContext, deployment: Workload): Promise<void> {
  const stays = async (when: string): Promise<void> =>
    context.expect(await podsOf(context, deployment), when).toEqual({ 11: 2, 12: 1 });
  const { status } = await deployment.untilTold('a new pod is told of', ({ updatedReplicas }) => updatedReplicas === 1);
  context.expect(status.unavailableReplicas, 'of the three that are to be, those that do not work').toBe(1);
  await stays('before the new pod is ready');
  await deployment.change({ paused: true });
  await deployment.untilTold('the pause is known', () => true);
  await runThose(context, deployment, 12);
  await deployment.untilTold('the new pod is ready', ({ readyReplicas }) => readyReplicas === 3);
  await stays('in a pause');
}

/** A Deployment that makes its pods anew waits until those of the old template are gone, be they long about it. */
export async function recreatesPods(context: RuleContext): Promise<void> {
  const { deployments, pods, replicaSets, waitUntil, longPatience, expect } = context;
  await preparePods(context);
  // Of a pod that is going and has no node others say after a while that it has failed, and then nobody waits for it.
  const template = { spec: { nodeName: await nodeOfNobody(context), terminationGracePeriodSeconds: 11 } };
  const deployment = await startWorkload(context, deployments, { strategy: { type: 'Recreate' }, template });
  const look = async () => (await deployment.own(pods)).map(templateOf).join();
  const until = (what: string, templates: string) =>
    waitUntil(what, look, (seen) => seen === templates, { limit: longPatience });
  await until('it has its pod', '11');
  const [old] = await deployment.own(pods);
  await deployment.change(ofTemplate(12));
  await until('its pod is going', '');
  await deployment.untilTold('it is told that it has none', ({ replicas = 0 }) => replicas === 0);
  const sizes = (await deployment.own(replicaSets)).map(({ spec }) => spec.replicas);
  expect(sizes.filter(Boolean), 'pods that are wanted beside one that is going').toEqual([]);
  await pods.remove(nameOf(old), { query: { gracePeriodSeconds: 0 } });
  await until('its pod is of the new template', '12');
}

/** A pod that is ready counts as available only once it has been so for as long as its set says. */
export async function countsAvailable(context: RuleContext): Promise<void> {
  const { replicaSets, pods, expect } = context;
  await preparePods(context);
  const spec = { minReadySeconds: 3600, template: { spec: unscheduled } };
  const set = await startWorkload(context, replicaSets, spec);
  const [pod] = await set.untilOwn('it has its pod', pods, 1);
  await run(context, pod);
  const status = await set.untilTold('its pod is ready', ({ readyReplicas }) => readyReplicas === 1);
  expect(status.status.availableReplicas ?? 0, 'pods that were ready for an hour').toBe(0);
  await set.change({ minReadySeconds: 0 });
  await set.untilTold('no time is asked for', ({ availableReplicas }) => availableReplicas === 1);
}
