import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { nameOf } from '../../verbs/states.ts';

const pods = { containers: [{ name: 'main', image: 'registry.example/pause:1' }], restartPolicy: 'Never' };
const time = (minute: number): string => `2024-05-06T07:0${minute}:00Z`;

/** Makes Jobs of a CronJob that have ended so, one a minute. They wait, so that nobody makes pods of them. */
async function ended(jobs: Collection, owner: object, type: 'Complete' | 'Failed', count: number): Promise<string[]> {
  const names: string[] = [];
  for (let minute = 0; minute < count; minute++) {
    const { metadata } = await jobs.create({ metadata: { ownerReferences: [owner] }, spec: { suspend: true } });
    const condition = { type, status: 'True', lastTransitionTime: time(minute), lastProbeTime: time(minute) };
    const completionTime = type === 'Complete' ? { completionTime: time(minute) } : {};
    const status = { startTime: time(minute), ...completionTime, conditions: [condition] };
    await jobs.merge(metadata.name, { status }, 'status');
    names.push(metadata.name);
  }
  return names;
}

/** A CronJob keeps the newest of the Jobs that it has made and that are done, as many of each sort as it says. */
export async function keepsHistory({ cronJobs, jobs, waitUntil, longPatience }: RuleContext): Promise<void> {
  const { apiVersion, kind, metadata } = await cronJobs.create({
    spec: {
      ...{ schedule: '0 0 1 1 *', suspend: true, jobTemplate: { spec: { template: { spec: pods } } } },
      ...{ successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 1 },
    },
  });
  const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true };
  const failed = await ended(jobs, owner, 'Failed', 3);
  const complete = await ended(jobs, owner, 'Complete', 4);
  const kept = [...failed.slice(-1), ...complete.slice(-2)].sort();
  await waitUntil(
    'the newest of the Jobs that are done are left',
    async () => (await jobs.list()).items.map(nameOf).sort(),
    (names) => JSON.stringify(names) === JSON.stringify(kept),
    { limit: longPatience },
  );
}

/** A budget tells what it knows of the pods that there are, and of no others. */
export async function countsForBudgets(context: RuleContext): Promise<void> {
  const { podDisruptionBudgets, waitUntil, longPatience, expect } = context;
  const selector = { matchLabels: { app: context.unique('app') } };
  const { metadata } = await podDisruptionBudgets.create({ spec: { minAvailable: 1, selector } });
  const told = (generation: number) =>
    waitUntil(
      'the budget was looked at',
      async () => (await podDisruptionBudgets.read(metadata.name)).status ?? {},
      ({ observedGeneration, disruptedPods }) =>
        observedGeneration === generation && Object.keys(disruptedPods ?? {}).length === 0,
      { limit: longPatience },
    );
  await told(metadata.generation);
  const disruptedPods = { gone: new Date().toISOString().replace(/\.\d+/, '') };
  await podDisruptionBudgets.merge(metadata.name, { status: { disruptedPods } }, 'status');
  await told(metadata.generation);
  const { metadata: changed } = await podDisruptionBudgets.merge(metadata.name, { spec: { minAvailable: 2 } });
  expect(await told(changed.generation), 'a budget of no pods').toMatchObject({
    ...{ expectedPods: 0, currentHealthy: 0, desiredHealthy: 2, disruptionsAllowed: 0 },
  });
}
