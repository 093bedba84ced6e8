import { isFinished } from '../../../checks/pods/job-runs.ts';
import { defineRule } from '../../../rule.ts';
import { removeIn } from '../../../sabotage/transforms.ts';
import { claims, jobReads, saysNothing } from '../../job-sabotages.ts';
import { exits, expectCounted, failedOnce, flags, needs } from './verdicts.ts';

const any = { operator: 'In', values: [1] };

export default [
  // The first rule that matches decides.
  defineRule('job.pod-failure-policy.rules.order', {
    needs,
    flags,
    sabotage: [saysNothing, claims('Failed')],
    async check(context) {
      const [count, end] = [exits('Count', any), exits('FailJob', any)];
      await (await failedOnce(context, { rules: [end, count] })).untilIs('Failed');
      await expectCounted(context, await failedOnce(context, { rules: [count, end] }));
    },
  }),

  // When none matches, the failure counts as it always does.
  defineRule('job.pod-failure-policy.rules.no-match', {
    needs,
    flags,
    sabotage: [saysNothing, removeIn('status.failed', jobReads), claims('Failed')],
    async check(context) {
      const rules = [exits('Ignore', { operator: 'In', values: [42] })];
      const job = await failedOnce(context, { rules });
      const seen = await job.until('the failure is counted', ({ status }) => status.failed === 1);
      context.expect(isFinished(seen), 'within the limit').toBe(false);
      await (await failedOnce(context, { rules }, { backoffLimit: 0 })).untilIs('Failed');
    },
  }),
];
