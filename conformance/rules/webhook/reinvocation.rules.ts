import { defineRule } from '../../rule.ts';
import { changeAnswer } from '../../sabotage/transforms.ts';
import { misreadMember, uncalled } from '../../sabotage/webhooks.ts';
import { configure, labelling } from '../../verbs/webhooks.ts';
import { hookDefaultRule, postHook } from '../webhook-field-rules.ts';

const needs = ['webhooks'] as const;

export default [
  // With `Never` a webhook is asked about a request once at most.
  defineRule('webhook.reinvocation.never', {
    needs,
    sabotage: [misreadMember('reinvocationPolicy', 'IfNeeded'), uncalled],
    async check(context) {
      const { secrets, expect } = context;
      const later = (review: { request?: { object?: { metadata?: { labels?: Record<string, string> } } } }) =>
        review?.request?.object?.metadata?.labels?.['a'] ? { allowed: true } : labelling('a', 'b');
      const { hooks } = await configure(context, 'mutating', [
        { over: { reinvocationPolicy: 'Never' } },
        { respond: later },
      ]);
      const { metadata } = await secrets.create();
      expect(metadata.labels, 'what the later one changed').toMatchObject({ a: 'b' });
      expect(hooks[0]?.received).toHaveLength(1);
    },
  }),

  // With `IfNeeded` a webhook may be asked again after others have changed the object.
  defineRule('webhook.reinvocation.if-needed', {
    needs,
    sabotage: uncalled,
    async check(context) {
      const { secrets, expect } = context;
      const { hooks } = await configure(context, 'mutating', [
        { over: { reinvocationPolicy: 'IfNeeded' } },
        { respond: () => labelling('a', 'b') },
      ]);
      const { metadata } = await secrets.create();
      expect(metadata.labels).toMatchObject({ a: 'b' });
      expect([1, 2, 3], 'calls of the earlier one').toContain(hooks[0]?.received.length);
    },
  }),

  // Nobody promises how often a webhook is asked.
  defineRule('webhook.reinvocation.count', {
    needs,
    sabotage: uncalled,
    async check(context) {
      const { secrets, expect } = context;
      const { hooks } = await configure(context, 'mutating', [{}]);
      await secrets.create();
      expect(hooks[0]?.received.length, 'calls').toBeGreaterThan(0);
    },
  }),

  // Without a `reinvocationPolicy` it is `Never`; there are just the two.
  hookDefaultRule('webhook.reinvocation.default', ['mutatingWebhooks'], 'reinvocationPolicy', 'Never', [
    'Never',
    'IfNeeded',
  ]),

  // A validating webhook has no `reinvocationPolicy`.
  defineRule('webhook.reinvocation.mutating-only', {
    sabotage: changeAnswer(
      'keeps the policy',
      (body) => ({
        ...body,
        webhooks: body.webhooks?.map((hook: object) => ({ ...hook, reinvocationPolicy: 'Never' })),
      }),
      { path: /\/validatingwebhookconfigurations$/ },
    ),
    async check(context) {
      const { status, hook } = await postHook(context, 'validatingWebhooks', { reinvocationPolicy: 'IfNeeded' });
      context.expect(status).toBe(201);
      context.expect(hook).not.toHaveProperty('reinvocationPolicy');
      context
        .expect(
          (await postHook(context, 'mutatingWebhooks', { reinvocationPolicy: 'IfNeeded' })).hook?.reinvocationPolicy,
        )
        .toBe('IfNeeded');
    },
  }),
];
