import { isFinished, startJob } from '../../checks/pods/job-runs.ts';
import { fail, succeed } from '../../checks/pods/node-play.ts';
import { defineRule } from '../../rule.ts';
import { changeAnswer, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import { validityRule } from '../field-rules.ts';
import { claims, jobReads, podLists, saysNothing, showsTwice } from '../job-sabotages.ts';

const needs = ['job-controller'] as const;

const runsOn = changeAnswer(
  'shows one more pod once one has succeeded',
  ({ items, ...list }) => {
    const done = items.find(({ status }: Json) => status?.phase === 'Succeeded');
    const { ownerReferences } = done?.metadata ?? {};
    return { ...list, items: done ? [...items, { metadata: { name: 'stray', ownerReferences } }] : items };
  },
  podLists,
);

export default [
  // Without `completions` any number of pods may run at once.
  validityRule({
    id: 'job.completions.nil-parallelism',
    kind: 'jobs',
    accepted: Object.fromEntries(
      [1, 7, 5000].map((parallelism) => [`parallelism ${parallelism}`, { spec: { suspend: true, parallelism } }]),
    ),
    refused: { 'a negative one': { spec: { suspend: true, parallelism: -1 } } },
  }),

  // `completions` is how many pods must succeed.
  defineRule('job.completions.count', {
    needs,
    sabotage: [saysNothing, claims('Complete')],
    async check(context) {
      const job = await startJob(context, { completions: 2, parallelism: 2 });
      const [first, second] = await job.untilActive(2);
      await succeed(context, first);
      const half = await job.until('one success is counted', ({ status }) => status.succeeded === 1);
      context.expect(isFinished(half), 'with one of two').toBe(false);
      await succeed(context, second);
      await job.untilIs('Complete');
    },
  }),

  // Without `completions` any one success ends the job well.
  defineRule('job.completions.nil', {
    needs,
    sabotage: [saysNothing, replaceIn('spec.completions', { ...jobReads, with: 1 }), runsOn],
    async check(context) {
      const job = await startJob(context, { parallelism: 2 });
      context.expect((await job.read()).spec.completions ?? null, 'completions').toBeNull();
      const [first, second] = await job.untilActive(2);
      await succeed(context, first);
      await job.until('one success is counted', ({ status }) => status.succeeded === 1);
      context.expect((await job.pods()).length, 'pods, after the first success').toBe(2);
      await fail(context, second);
      await job.untilIs('Complete');
    },
  }),

  // With one completion one pod runs at a time.
  defineRule('job.completions.one', {
    needs,
    sabotage: [showsTwice, replaceIn('status.active', { ...jobReads, with: 3 })],
    async check(context) {
      const job = await startJob(context, { completions: 1, parallelism: 3 });
      await job.until('one pod is active', ({ status }) => status.active === 1);
      context.expect((await job.pods()).length, 'pods').toBe(1);
    },
  }),
];
