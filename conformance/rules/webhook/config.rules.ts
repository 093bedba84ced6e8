import { defineRule } from '../../rule.ts';
import { notFound } from '../../sabotage/transforms.ts';
import { uncalled } from '../../sabotage/webhooks.ts';
import { configure } from '../../verbs/webhooks.ts';
import { validityRule } from '../field-rules.ts';

const kind = 'validatingWebhooks';
const named = (name: string) => ({ metadata: { name } });

export default [
  // Webhooks are set up by the kinds `ValidatingWebhookConfiguration` and `MutatingWebhookConfiguration` of
  // `admissionregistration.k8s.io/v1`.
  defineRule('webhook.config.kinds', {
    sabotage: notFound({ method: 'GET', path: /\/mutatingwebhookconfigurations\/[^/]+$/ }),
    async check({ mutatingWebhooks, validatingWebhooks, expect }) {
      for (const kind of [mutatingWebhooks, validatingWebhooks]) {
        const { metadata } = await kind.create();
        const { status, body } = await kind.get(metadata.name);
        expect(status, kind.at.kind).toBe(200);
        expect(body).toMatchObject({ kind: kind.at.kind, apiVersion: 'admissionregistration.k8s.io/v1' });
      }
    },
  }),

  // A configuration's name is a DNS subdomain.
  validityRule({
    id: 'webhook.config.name',
    kind,
    accepted: {
      'a subdomain': async ({ unique }: { unique: (prefix: string) => string }) =>
        named(`${unique('hooks')}.example.com`),
    },
    refused: { 'upper case': named('Hooks'), 'an underscore': named('ho_oks'), 'a blank': named('ho oks') },
  }),

  // A configuration lists its webhooks under `webhooks`.
  validityRule({
    id: 'webhook.config.webhooks-list',
    kind,
    accepted: { 'a list': {} },
    refused: { 'a map': { webhooks: {} }, 'a text': { webhooks: 'judge' } },
  }),

  // A configuration works within seconds of its creation.
  defineRule('webhook.config.effect-delay', {
    needs: ['webhooks'],
    sabotage: uncalled,
    async check(context) {
      const { secrets, expect } = context;
      const { hooks } = await configure(context, 'validating', [{}]);
      await secrets.create();
      expect(hooks[0]?.received, 'calls once it is in effect').toHaveLength(1);
    },
  }),
];
