import { defineRule } from '../rule.ts';
import { changeRequest, replaceIn } from '../sabotage/transforms.ts';
import { misreadHook, mutatingLast, oneByOne, spoilReview, uncalled } from '../sabotage/webhooks.ts';
import { customType } from '../verbs/custom-types.ts';
import { configure, labelling, requestsOf } from '../verbs/webhooks.ts';
import { postHook } from './webhook-field-rules.ts';

const needs = ['webhooks'] as const;
/** Milliseconds that a webhook takes whose calls must overlap. */
const slowness = 800;

export default [
  defineRule('webhook.https', {
    needs,
    sabotage: uncalled,
    async check(context) {
      const { secrets, expect } = context;
      expect([400, 422], 'an address of another scheme').toContain(
        (await postHook(context, 'validatingWebhooks', { clientConfig: { url: 'http://127.0.0.1:9/' } })).status,
      );
      const { hooks } = await configure(context, 'validating', [{}]);
      await secrets.create();
      // The hook speaks nothing but TLS.
      expect(hooks[0]?.received, 'calls over HTTPS').toHaveLength(1);
    },
  }),

  defineRule('webhook.mutating-first', {
    needs,
    sabotage: [uncalled, mutatingLast],
    async check(context) {
      const { secrets, expect } = context;
      const { hooks: validating } = await configure(context, 'validating', [{}]);
      const { hooks: mutating } = await configure(context, 'mutating', [{}, {}]);
      await secrets.create();
      const times = [...mutating, ...validating].map(({ received }) => received[0]?.at ?? 0);
      for (const time of times) expect(time, 'each was called').toBeGreaterThan(0);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    },
  }),

  defineRule('webhook.mutating-may-change', {
    needs,
    sabotage: [uncalled, replaceIn('metadata.labels', { method: 'GET', path: /\/secrets\//, with: {} })],
    async check(context) {
      const { secrets, expect } = context;
      await configure(context, 'mutating', [{ respond: () => labelling('by', 'webhook') }]);
      const { metadata } = await secrets.create();
      expect((await secrets.read(metadata.name)).metadata.labels, 'as stored').toEqual({ by: 'webhook' });
    },
  }),

  defineRule('webhook.validating-after-mutation', {
    needs,
    sabotage: [uncalled, spoilReview('request.object.metadata', {})],
    async check(context) {
      const { secrets, expect } = context;
      const { hooks } = await configure(context, 'validating', [{}]);
      await configure(context, 'mutating', [{ respond: () => labelling('by', 'webhook') }]);
      await secrets.create();
      expect(hooks.flatMap(requestsOf)[0]?.object?.metadata?.labels).toEqual({ by: 'webhook' });
    },
  }),

  defineRule('webhook.validating-after-schema', {
    needs: ['webhooks', 'crd'],
    sabotage: [
      uncalled,
      changeRequest(
        'shows what does not fit as well',
        (body) => (body?.spec?.size === 10 ? { ...body, spec: { size: 9 } } : body),
        { method: 'POST', body: /"size":10/ },
      ),
    ],
    async check(context) {
      const { expect } = context;
      const things = await customType(context, {
        spec: { type: 'object', properties: { size: { type: 'integer', maximum: 9 } } },
      });
      const rules = [
        { apiGroups: [things.at.group], apiVersions: ['v1'], resources: [things.at.resource], operations: ['CREATE'] },
      ];
      const { hooks } = await configure(context, 'validating', [{ over: { rules } }]);
      expect((await things.post(things.sample({ spec: { size: 10 } }))).status, 'against the schema').toBe(422);
      expect(hooks[0]?.received, 'calls for it').toEqual([]);
      expect((await things.post(things.sample({ spec: { size: 9 } }))).status, 'fitting the schema').toBe(201);
      expect(hooks[0]?.received, 'calls for it').toHaveLength(1);
    },
  }),

  defineRule('webhook.validating-parallel', {
    needs,
    sabotage: [uncalled, oneByOne(slowness)],
    async check(context) {
      const { secrets, expect } = context;
      const slow = (review: { apiVersion?: string; request?: { uid?: string } }) => ({
        raw: {
          delay: slowness,
          body: {
            apiVersion: review?.apiVersion,
            kind: 'AdmissionReview',
            response: { uid: review?.request?.uid, allowed: true },
          },
        },
      });
      const { hooks } = await configure(context, 'validating', [
        { respond: slow },
        { respond: slow },
        { respond: slow },
      ]);
      await secrets.create();
      const times = hooks.map(({ received }) => received[0]?.at ?? Number.NaN);
      expect(Math.max(...times) - Math.min(...times), 'milliseconds between the first call and the last').toBeLessThan(
        slowness,
      );
    },
  }),

  defineRule('webhook.any-rejection-fails', {
    needs,
    sabotage: [
      uncalled,
      misreadHook('heeds nobody', (hook) => ({
        ...hook,
        objectSelector: { matchLabels: { 'touchstone/none': 'such' } },
      })),
    ],
    async check(context) {
      const { secrets, expect } = context;
      await configure(context, 'validating', [{}, { respond: () => ({ allowed: false }) }, {}]);
      const { status, body } = await secrets.post(secrets.sample());
      expect(status).toBeGreaterThanOrEqual(400);
      expect(body).toMatchObject({ kind: 'Status', status: 'Failure' });
      expect((await secrets.list()).items).toEqual([]);
    },
  }),
];
