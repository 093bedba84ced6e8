import { takingIts } from '../../checks/webhooks/held-writes.ts';
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
      const begun = performance.now();
      await secrets.create();
      // Where answers take long, so does a refusal.
      const most = 2_500 + (performance.now() - begun);
      const slow = { respond: takingIts({ CREATE: most + 500 }), over: { timeoutSeconds: 1, failurePolicy: 'Fail' } };
      const { hooks } = await configure(context, 'validating', [slow, { over: { timeoutSeconds: 7 } }]);
      const started = performance.now();
      const { status } = await secrets.post(secrets.sample());
      expect(status, 'a yes that comes too late').toBeGreaterThanOrEqual(500);
      expect(performance.now() - started, 'milliseconds').toBeLessThan(most);
      for (const [place, told] of ['timeout=1s', 'timeout=7s'].entries())
        expect(hooks[place]?.received[0]?.query, 'how long it may take, as it is told').toBe(told);
    },
  }),
];
