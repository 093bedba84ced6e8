import { defineRule, type Rule } from '../../rule.ts';
import { answerStatus } from '../../sabotage/transforms.ts';
import { misreadMember, uncalled } from '../../sabotage/webhooks.ts';
import type { Json } from '../../verbs/client.ts';
import { configure, type HookParts, labelling, type Respond } from '../../verbs/webhooks.ts';
import { bothSorts, hookDefaultRule } from '../webhook-field-rules.ts';

const needs = ['webhooks'] as const;
const posts = { method: 'POST', path: /\/secrets$/ };

/** Ways in which a call fails. */
const failures: Readonly<Record<string, Respond>> = {
  'an error': () => ({ raw: { status: 500, body: 'out of order' } }),
  'no review': () => ({ raw: { body: 'out of order' } }),
  'the uid of another call': ({ apiVersion, kind }) => ({
    raw: { body: { apiVersion, kind, response: { uid: 'another', allowed: true } } },
  }),
  'another version': ({ kind, request: { uid } }) => ({
    raw: { body: { apiVersion: 'admission.k8s.io/v9', kind, response: { uid, allowed: true } } },
  }),
};

/** What a webhook that does not fail changes beside one that does. */
const beside: HookParts = { respond: () => labelling('beside', 'kept') };

const policyRule = (id: string, failurePolicy: string, other: string, codes: readonly number[]): Rule =>
  defineRule(`webhook.failure-policy.${id}`, {
    needs,
    sabotage: misreadMember('failurePolicy', other),
    async check(context) {
      const { secrets, expect } = context;
      for (const type of ['mutating', 'validating'] as const) {
        let respond: Respond = () => ({ allowed: true });
        const failing = { respond: (review: Json) => respond(review), over: { failurePolicy } };
        const { hooks } = await configure(context, type, type === 'mutating' ? [beside, failing] : [failing]);
        for (const [what, failure] of Object.entries(failures)) {
          respond = failure;
          const calls = hooks.at(-1)?.received.length ?? 0;
          const { status, body } = await secrets.post(secrets.sample());
          expect(hooks.at(-1)?.received.length, `the ${type} webhook was called`).toBeGreaterThan(calls);
          expect(codes, `${what}, of a ${type} webhook`).toContain(status);
          if (status === 201 && type === 'mutating')
            expect(body.metadata.labels, `what another webhook changed, beside ${what}`).toMatchObject({
              beside: 'kept',
            });
        }
        respond = () => ({ allowed: true });
      }
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
