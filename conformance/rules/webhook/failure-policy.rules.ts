import { defineRule, type Rule } from '../../rule.ts';
import { answerStatus } from '../../sabotage/transforms.ts';
import { misreadMember, uncalled } from '../../sabotage/webhooks.ts';
import { configure } from '../../verbs/webhooks.ts';
import { bothSorts, hookDefaultRule } from '../webhook-field-rules.ts';

const needs = ['webhooks'] as const;
const posts = { method: 'POST', path: /\/secrets$/ };
const broken = () => ({ raw: { status: 500, body: 'out of order' } });

const policyRule = (id: string, failurePolicy: string, other: string, codes: readonly number[]): Rule =>
  defineRule(`webhook.failure-policy.${id}`, {
    needs,
    sabotage: misreadMember('failurePolicy', other),
    async check(context) {
      const { secrets, expect } = context;
      const { hooks } = await configure(context, 'validating', [{ respond: broken, over: { failurePolicy } }]);
      const { status } = await secrets.post(secrets.sample());
      expect(hooks[0]?.received.length, 'the webhook was called').toBeGreaterThan(0);
      expect(codes).toContain(status);
    },
  });

export default [
  policyRule('ignore', 'Ignore', 'Fail', [201]),
  policyRule('fail', 'Fail', 'Ignore', [500, 503, 504]),
  // Without a `failurePolicy` it is `Fail`; there are just the two.
  hookDefaultRule('webhook.failure-policy.default', bothSorts, 'failurePolicy', 'Fail', ['Ignore', 'Fail']),

  // A no is not a failure: it ends the request under either policy.
  defineRule('webhook.failure-policy.applies-to', {
    needs,
    sabotage: [uncalled, answerStatus(201, { ...posts, instead: 403 })],
    async check(context) {
      const { secrets, expect } = context;
      await configure(context, 'validating', [
        {
          respond: () => ({ allowed: false, status: { code: 403, message: 'no' } }),
          over: { failurePolicy: 'Ignore' },
        },
      ]);
      expect((await secrets.post(secrets.sample())).status).toBe(403);
    },
  }),
];
