import { defineRule } from '../../rule.ts';
import { ignoreQuery, notFound, replaceIn } from '../../sabotage/transforms.ts';
import { uncalled } from '../../sabotage/webhooks.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { configure } from '../../verbs/webhooks.ts';
import { validityRule } from '../field-rules.ts';

const kind = 'validatingWebhooks';
const named = (name: string) => ({ metadata: { name } });

/** Nobody calls a webhook that is only tried, or leaves out one whose end is. */
async function rehearse(configurations: Collection, name: string, expect: RuleContext['expect']): Promise<void> {
  const dry = { dryRun: 'All' };
  const { webhooks } = await configurations.read(name);
  const refusing = { ...webhooks[0], clientConfig: { url: 'https://127.0.0.1:9/nobody' }, failurePolicy: 'Fail' };
  const tries = {
    'a new configuration': await configurations.post(configurations.sample({ webhooks: [refusing] }), dry),
    'a change': await configurations.patch(name, { webhooks: [refusing] }, { query: dry }),
    'an end': await configurations.delete(name, { query: dry }),
  };
  for (const [what, answer] of Object.entries(tries))
    expect([200, 201], `${what}: ${said(answer)}`).toContain(answer.status);
}

export default [
  // Webhooks are set up by the kinds `ValidatingWebhookConfiguration` and `MutatingWebhookConfiguration` of
  // `admissionregistration.k8s.io/v1`.
  defineRule('webhook.config.kinds', {
    sabotage: [
      notFound({ method: 'GET', path: /\/mutatingwebhookconfigurations\/[^/]+$/ }),
      replaceIn('kind', { method: 'GET', path: /\/mutatingwebhookconfigurations\/[^/]+$/ }),
    ],
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
    sabotage: [...[uncalled].flat(), ignoreQuery('dryRun', { path: /webhookconfigurations/ })],
    async check(context) {
      const { secrets, validatingWebhooks, waitUntil, patience, expect } = context;
      const { hooks, name } = await configure(context, 'validating', [{}]);
      await secrets.create();
      expect(hooks[0]?.received, 'calls once it is in effect').toHaveLength(1);
      // It says something else from now on, and then nothing any more.
      const calls = async (what: string) => {
        const before = hooks[0]?.received.length ?? 0;
        await secrets.post(secrets.sample(), { dryRun: 'All' });
        return (hooks[0]?.received.length ?? 0) > before ? what : `no ${what}`;
      };
      const settled = (what: string, wanted: string) =>
        waitUntil(
          what,
          () => calls('call'),
          (seen) => seen === wanted,
          { limit: patience * 3 },
        );
      const { webhooks } = await validatingWebhooks.read(name);
      const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['services'], operations: ['DELETE'] }];
      const change = (over: Json) => validatingWebhooks.merge(name, { webhooks: [{ ...webhooks[0], ...over }] });
      await rehearse(validatingWebhooks, name, expect);
      expect(await calls('call'), 'after what was only tried').toBe('call');
      await change({ rules });
      await settled('a changed configuration is in effect', 'no call');
      await change({});
      await settled('a configuration that is changed back is in effect', 'call');
      await change({ rules });
      await settled('a configuration that is changed once more is in effect', 'no call');
      await validatingWebhooks.remove(name);
      await validatingWebhooks.create({ metadata: { name }, webhooks });
      await settled('a configuration that is made anew is in effect', 'call');
      await validatingWebhooks.remove(name);
      await settled('a configuration that is gone is without effect', 'no call');
    },
  }),
];
