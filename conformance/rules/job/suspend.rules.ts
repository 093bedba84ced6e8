import { pass, startJob } from '../../checks/pods/job-runs.ts';
import { defineRule } from '../../rule.ts';
import { replaceIn } from '../../sabotage/transforms.ts';
import { jobReads, keepsShowing, saysNothing, showsStray } from '../job-sabotages.ts';
import { defaultRule } from '../unsent-rules.ts';

const needs = ['job-controller'] as const;

export default [
  // `suspend` is false unless given.
  defaultRule({ id: 'job.suspend.default', kind: 'jobs', path: 'spec.suspend', value: false }),

  // A job created suspended gets no pods.
  defineRule('job.suspend.created', {
    needs,
    sabotage: [showsStray, saysNothing],
    async check(context) {
      const job = await startJob(context, { suspend: true });
      await job.untilIs('Suspended');
      context.expect((await context.pods.list()).items, 'pods').toEqual([]);
    },
  }),

  // Suspending a job deletes the pods that are active.
  defineRule('job.suspend.set', {
    needs,
    sabotage: [
      keepsShowing,
      replaceIn('status.active', { ...jobReads, with: 2 }),
      replaceIn('status.failed', { ...jobReads, with: 2 }),
    ],
    async check(context) {
      const job = await startJob(context, { completions: 2, parallelism: 2 });
      await job.untilActive(2);
      await job.change({ suspend: true });
      await job.untilActive(0);
      await job.until('no pod is counted as active', ({ status }) => !status.active);
      await job.change({ suspend: false });
      const { status } = await job.until('it goes on', (seen) => seen.status.active === 2);
      context.expect(status.failed ?? 0, 'pods that have failed').toBe(0);
    },
  }),

  // Suspending a job resets its start and so its deadline.
  defineRule('job.suspend.start-time', {
    needs,
    sabotage: replaceIn('status.startTime', { ...jobReads, with: '2024-05-06T07:08:09Z' }),
    async check(context) {
      const { looser, expect } = context;
      const job = await startJob(context);
      const { status } = await job.until('the job has begun', (seen) => Boolean(seen.status.startTime));
      await job.change({ suspend: true });
      const suspended = await job.untilIs('Suspended');
      // Genuine controllers show the old start until the job goes on.
      await looser(() => expect(suspended.status.startTime, 'while suspended').toBeUndefined());
      await pass(1_100);
      await job.change({ suspend: false });
      await job.until('the start is a later one', (seen) => seen.status.startTime > status.startTime);
    },
  }),
];
