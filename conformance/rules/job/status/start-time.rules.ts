import { pass, startJob } from '../../../checks/pods/job-runs.ts';
import { defineRule } from '../../../rule.ts';
import { replaceIn } from '../../../sabotage/transforms.ts';
import { jobReads, saysNothing } from '../../job-sabotages.ts';

const needs = ['job-controller'] as const;
const old = replaceIn('status.startTime', { ...jobReads, with: '2024-05-06T07:08:09Z' });

export default [
  // `startTime` is when the controller took the job up.
  defineRule('job.status.start-time.set', {
    needs,
    sabotage: old,
    async check(context) {
      const begun = performance.now();
      const job = await startJob(context);
      const { metadata, status } = await job.until('it has a start', (seen) => Boolean(seen.status.startTime));
      const since = Date.parse(status.startTime) - Date.parse(metadata.creationTimestamp);
      const waited = performance.now() - begun;
      context.expect(since, 'milliseconds between creation and start').toBeLessThan(10_000 + waited);
      context.expect(since, 'milliseconds between creation and start').toBeGreaterThan(-10_000);
    },
  }),

  // A job created suspended has no `startTime`.
  defineRule('job.status.start-time.suspended', {
    needs,
    sabotage: [old, saysNothing],
    async check(context) {
      const job = await startJob(context, { suspend: true });
      context.expect((await job.untilIs('Suspended')).status.startTime).toBeUndefined();
    },
  }),

  // Each time a job goes on, `startTime` is set anew.
  defineRule('job.status.start-time.resumed', {
    needs,
    sabotage: old,
    async check(context) {
      const job = await startJob(context, { suspend: true });
      await job.untilIs('Suspended');
      let last = '';
      for (const time of ['first', 'second']) {
        await job.change({ suspend: false });
        const before = last;
        const { status } = await job.until(
          `a new start for the ${time} time`,
          (seen) => (seen.status.startTime ?? '') > before,
        );
        last = status.startTime;
        await job.change({ suspend: true });
        await job.untilIs('Suspended');
        await pass(1_100);
      }
    },
  }),
];
