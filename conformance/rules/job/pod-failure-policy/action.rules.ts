import { statusOf } from '../../../checks/pods/job-runs.ts';
import { defineRule } from '../../../rule.ts';
import { removeIn, replaceIn } from '../../../sabotage/transforms.ts';
import type { Json } from '../../../verbs/client.ts';
import { claims, jobReads, keepsShowing, saysNothing, showsNone } from '../../job-sabotages.ts';
import { exits, expectCounted, failedOnce, flags, needs, storedAndFailed } from './verdicts.ts';

const any = { operator: 'In', values: [1] };

export default [
  // `FailJob` ends the whole job.
  defineRule('job.pod-failure-policy.action.fail-job', {
    needs,
    flags,
    sabotage: [saysNothing, keepsShowing],
    async check(context) {
      const job = await failedOnce(context, { rules: [exits('FailJob', any)] }, { completions: 2, parallelism: 2 });
      await job.untilIs('Failed');
      await job.untilActive(0);
    },
  }),

  // `Ignore` forgets the failure and makes a new pod.
  defineRule('job.pod-failure-policy.action.ignore', {
    needs,
    flags,
    sabotage: [replaceIn('status.failed', { ...jobReads, with: 1 }), claims('Failed'), showsNone],
    async check(context) {
      const { expect } = context;
      const job = await failedOnce(context, { rules: [exits('Ignore', any)] }, { backoffLimit: 0 });
      await job.untilActive(1);
      const { status } = await job.until('the new pod is active', (seen) => seen.status.active === 1);
      expect(status.failed ?? 0, 'failures').toBe(0);
      expect(status.conditions ?? [], 'conditions').not.toContainEqual(expect.objectContaining({ type: 'Failed' }));
    },
  }),

  // `Count` counts the failure.
  defineRule('job.pod-failure-policy.action.count', {
    needs,
    flags,
    sabotage: [removeIn('status.failed', jobReads), claims('Failed')],
    async check(context) {
      await expectCounted(context, await failedOnce(context, { rules: [exits('Count', any)] }));
    },
  }),

  // Clients pass over rules with an action they do not know.
  defineRule('job.pod-failure-policy.action.unknown', {
    needs: ['flags'],
    sabotage: [saysNothing, replaceIn('spec.podFailurePolicy', { ...jobReads, with: { rules: [] } })],
    async check(context) {
      const rules = [exits('Explode', any), exits('FailJob', any)];
      const { read } = await storedAndFailed(context, rules);
      // The rule that nobody understands is passed over for the next.
      const isFailed = (job: Json): boolean => statusOf(job, 'Failed') === 'True';
      const job = await context.waitUntil('the next rule ends the job', read, isFailed, {
        limit: context.patience * 3,
      });
      context.expect(job.spec.podFailurePolicy.rules.map(({ action }: Json) => action)).toEqual(['Explode', 'FailJob']);
    },
  }),
];
