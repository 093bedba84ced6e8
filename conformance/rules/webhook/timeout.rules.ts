import { defineRule } from '../../rule.ts';
import { misreadMember } from '../../sabotage/webhooks.ts';
import { configure } from '../../verbs/webhooks.ts';
import { bothSorts, hookDefaultRule, hookRule } from '../webhook-field-rules.ts';

const seconds = (timeoutSeconds: number) => ({ timeoutSeconds });

export default [
  // `timeoutSeconds` goes from 1 to 30.
  hookRule(
    'webhook.timeout.range',
    { 1: seconds(1), 30: seconds(30) },
    { 0: seconds(0), 31: seconds(31), '-1': seconds(-1) },
  ),
  // Without `timeoutSeconds` it is 10.
  hookDefaultRule('webhook.timeout.default', bothSorts, 'timeoutSeconds', 10, []),

  // Who has not answered in that time has failed.
  defineRule('webhook.timeout.enforced', {
    needs: ['webhooks'],
    sabotage: misreadMember('timeoutSeconds', 30),
    async check(context) {
      const { secrets, expect } = context;
      const slow = () => ({ raw: { delay: 3_000, body: 'at last' } });
      await configure(context, 'validating', [{ respond: slow, over: { timeoutSeconds: 1, failurePolicy: 'Fail' } }]);
      const started = performance.now();
      const { status } = await secrets.post(secrets.sample());
      expect(status).toBeGreaterThanOrEqual(500);
      expect(performance.now() - started, 'milliseconds').toBeLessThan(2_500);
    },
  }),
];
