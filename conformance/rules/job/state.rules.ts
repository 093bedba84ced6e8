import { isFinished, startJob, statusOf } from '../../checks/pods/job-runs.ts';
import { succeed } from '../../checks/pods/node-play.ts';
import { defineRule } from '../../rule.ts';
import { removeIn, replaceIn } from '../../sabotage/transforms.ts';
import { claims, jobReads, saysNothing, showsNone, showsStray } from '../job-sabotages.ts';

const needs = ['job-controller'] as const;

export default [
  // A `NonIndexed` job is Complete when enough pods have succeeded.
  defineRule('job.state.complete.completions', {
    needs,
    sabotage: [saysNothing, claims('Complete'), replaceIn('status.succeeded', { ...jobReads, with: 3 })],
    async check(context) {
      const job = await startJob(context, { completions: 2, parallelism: 1 });
      for (const before of [0, 1]) {
        const pod = await job.nextPod();
        context.expect(isFinished(await job.read()), `with ${before} of 2`).toBe(false);
        await succeed(context, pod);
      }
      const { status } = await job.untilIs('Complete');
      context.expect(status.succeeded).toBe(2);
    },
  }),

  // An `Indexed` job is Complete when every index has succeeded.
  defineRule('job.state.complete.indexed', {
    needs,
    sabotage: [saysNothing, claims('Complete'), removeIn('status.completedIndexes', jobReads)],
    async check(context) {
      const job = await startJob(context, { completions: 2, parallelism: 2, completionMode: 'Indexed' });
      const [first, second] = await job.untilActive(2);
      await succeed(context, first);
      const half = await job.until('an index is complete', ({ status }) => Boolean(status.completedIndexes));
      context.expect(isFinished(half), 'with one of two').toBe(false);
      await succeed(context, second);
      await job.untilIs('Complete');
    },
  }),

  // A job that is suspended has the condition Suspended, True.
  defineRule('job.state.suspend.condition', {
    needs,
    sabotage: [saysNothing, claims('Suspended')],
    async check(context) {
      const job = await startJob(context);
      await job.nextPod();
      context.expect(statusOf(await job.read(), 'Suspended'), 'while it runs').not.toBe('True');
      await job.change({ suspend: true });
      await job.untilIs('Suspended');
    },
  }),

  // A job that goes on has Suspended False and a new start.
  defineRule('job.state.resume', {
    needs,
    sabotage: [claims('Suspended'), removeIn('status.startTime', jobReads), showsNone],
    async check(context) {
      const job = await startJob(context, { suspend: true });
      await job.untilIs('Suspended');
      await job.change({ suspend: false });
      await job.until('Suspended is False', (seen) => statusOf(seen, 'Suspended') === 'False');
      await job.until('the job has a start', ({ status }) => Boolean(status.startTime));
      await job.untilActive(1);
    },
  }),

  // A job created suspended is Suspended, without pods and without a start.
  defineRule('job.state.created-suspended', {
    needs,
    sabotage: [saysNothing, showsStray, replaceIn('status.startTime', { ...jobReads, with: '2024-05-06T07:08:09Z' })],
    async check(context) {
      const job = await startJob(context, { suspend: true });
      const { status } = await job.untilIs('Suspended');
      context.expect(status.startTime, 'startTime').toBeUndefined();
      context.expect((await context.pods.list()).items, 'pods').toEqual([]);
    },
  }),
];
