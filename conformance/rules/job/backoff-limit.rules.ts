import { isFinished, startJob } from '../../checks/pods/job-runs.ts';
import { fail, run } from '../../checks/pods/node-play.ts';
import { defineRule } from '../../rule.ts';
import { replaceIn } from '../../sabotage/transforms.ts';
import { conditionOf } from '../../verbs/states.ts';
import { claims, jobReads, saysNothing } from '../job-sabotages.ts';
import { defaultRule } from '../unsent-rules.ts';

export default [
  // `backoffLimit` is 6 unless given.
  defaultRule({ id: 'job.backoff-limit.default', kind: 'jobs', path: 'spec.backoffLimit', value: 6 }),

  // A job that has failed more often than `backoffLimit` allows is Failed.
  defineRule('job.backoff-limit.meaning', {
    needs: ['job-controller'],
    sabotage: [
      saysNothing,
      claims('Failed'),
      replaceIn('status.conditions.*.reason', { ...jobReads, with: 'DeadlineExceeded' }),
    ],
    async check(context) {
      const patient = await startJob(context, { backoffLimit: 1 });
      await fail(context, await patient.nextPod());
      const job = await patient.until('the failure is counted', ({ status }) => status.failed === 1);
      const { expect } = context;
      expect(isFinished(job), 'after one failure of one allowed').toBe(false);
      const impatient = await startJob(context, { backoffLimit: 0 });
      await fail(context, await impatient.nextPod());
      const { reason } = conditionOf(await impatient.untilIs('Failed'), 'Failed');
      expect(reason, 'why it failed').toBe('BackoffLimitExceeded');
      for (const backoffLimit of [0, 2]) {
        const restarting = await startJob(context, {
          backoffLimit,
          template: { spec: { restartPolicy: 'OnFailure' } },
        });
        const pod = await restarting.nextPod();
        // Each restart of a container in its pod is a retry.
        await run(context, pod, { restarts: backoffLimit - 1 });
        expect(isFinished(await restarting.read()), `before ${backoffLimit} restarts`).toBe(false);
        await run(context, pod, { restarts: Math.max(1, backoffLimit) });
        await restarting.untilIs('Failed');
      }
    },
  }),
];
