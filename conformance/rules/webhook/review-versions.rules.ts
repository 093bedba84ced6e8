import { serverHolding } from '../../checks/webhooks/stored-before.ts';
import { storedHook } from '../../checks/webhooks/stored-hooks.ts';
import { defineRule } from '../../rule.ts';
import { storesRefused } from '../../sabotage/careless.ts';
import { answerStatus } from '../../sabotage/transforms.ts';
import { misreadMember, uncalled } from '../../sabotage/webhooks.ts';
import { configure } from '../../verbs/webhooks.ts';
import { hookRule } from '../webhook-field-rules.ts';

const versions = (...admissionReviewVersions: string[]) => ({ admissionReviewVersions });

export default [
  // `admissionReviewVersions` must be given.
  hookRule(
    'webhook.review-versions.required',
    { given: versions('v1') },
    { 'left out': { admissionReviewVersions: undefined }, 'an empty list': versions() },
  ),
  // A list without any known version is refused.
  hookRule(
    'webhook.review-versions.none-supported',
    { 'one that is known': versions('v9', 'v1'), 'the older one that is known': versions('v1beta1') },
    { 'none that is known': versions('v8', 'v9') },
  ),

  // The webhook is sent the first version of its list that the server knows.
  defineRule('webhook.review-versions.first-supported', {
    needs: ['webhooks'],
    sabotage: [uncalled, misreadMember('admissionReviewVersions', ['v1'])],
    async check(context) {
      const { secrets, expect } = context;
      const { hooks } = await configure(context, 'validating', [
        { over: versions('v9', 'v1beta1', 'v1') },
        { over: versions('v1', 'v1beta1') },
      ]);
      await secrets.create();
      expect(hooks.map(({ received }) => received[0]?.review?.apiVersion)).toEqual([
        'admission.k8s.io/v1beta1',
        'admission.k8s.io/v1',
      ]);
    },
  }),

  // Should such a list be stored already, the call fails by `failurePolicy`.
  defineRule('webhook.review-versions.stored-unsupported', {
    needs: ['flags'],
    sabotage: [
      answerStatus(201, { method: 'POST', path: /\/secrets$/, instead: 500 }),
      answerStatus(500, { method: 'POST', path: /\/configmaps$/ }),
      storesRefused({ path: /\/secrets(\/[^/]+)?$/ }),
    ],
    async check(context) {
      const failing = storedHook(context, 'secrets', { ...versions('v9'), failurePolicy: 'Fail' });
      const ignoring = storedHook(context, 'configmaps', { ...versions('v9'), failurePolicy: 'Ignore' });
      const { secrets, configMaps, expect } = await serverHolding(context, [failing, ignoring]);
      expect((await configMaps.post(configMaps.sample())).status, 'with the policy Ignore').toBe(201);
      const sample = secrets.sample();
      const refused = await secrets.post(sample);
      expect(refused.status, 'with the policy Fail').toBe(500);
      expect((await secrets.get(sample.metadata.name)).status, 'what was refused').toBe(404);
      expect(refused.body).toMatchObject({ kind: 'Status', status: 'Failure' });
    },
  }),
];
