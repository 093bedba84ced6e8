import { authorityPem, base64 } from '../../../fixtures/certificates.ts';
import { serviceHook } from '../../checks/webhooks/webhook-services.ts';
import { defineRule } from '../../rule.ts';
import { replaceIn } from '../../sabotage/transforms.ts';
import { misreadHook, uncalled } from '../../sabotage/webhooks.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { configure } from '../../verbs/webhooks.ts';
import { hookRule, postHook } from '../webhook-field-rules.ts';

const needs = ['webhooks'] as const;
const url = (value: string) => ({ clientConfig: { url: value } });
const service = (parts: object) => ({ clientConfig: { service: { namespace: 'default', name: 'hook', ...parts } } });

/** A webhook that was reached is not any more once another authority is to vouch for it. */
async function losesTrust(context: RuleContext, name: string): Promise<void> {
  const { secrets, validatingWebhooks, waitUntil, patience } = context;
  const configuration = await validatingWebhooks.read(name);
  const webhooks = configuration.webhooks.map((hook: Json) =>
    merged(hook, { clientConfig: { caBundle: base64(authorityPem) } }),
  );
  await validatingWebhooks.replace({ ...configuration, webhooks });
  await waitUntil(
    'a webhook that it vouches for no more is not reached',
    async () => (await secrets.post(secrets.sample())).status,
    (status) => status >= 500,
    { limit: patience * 3 },
  );
}

export default [
  // A `url` has the form `https://host:port/path`.
  hookRule(
    'webhook.client-config.url',
    {
      'https with port and path': url('https://hooks.example.com:8443/judge'),
      'https without': url('https://hooks.example.com'),
    },
    { http: url('http://hooks.example.com/judge'), 'no scheme': url('hooks.example.com/judge') },
  ),

  // A `url` has no user, no fragment and no query.
  hookRule(
    'webhook.client-config.url.parts',
    { 'none of them': url('https://hooks.example.com/judge') },
    {
      'a user': url('https://me@hooks.example.com/judge'),
      'a fragment': url('https://hooks.example.com/judge#one'),
      'a query': url('https://hooks.example.com/judge?one=1'),
    },
  ),

  // A `service` is given by namespace and name.
  hookRule(
    'webhook.client-config.service.required',
    { both: service({}) },
    { 'no namespace': service({ namespace: undefined }), 'no name': service({ name: undefined }) },
  ),

  // A `service` is called at port 443 unless it has a port.
  defineRule('webhook.client-config.service.port', {
    sabotage: replaceIn('webhooks.*.clientConfig.service.port', { with: 8443, path: /webhookconfigurations$/ }),
    async check(context) {
      const { hook } = await postHook(context, 'validatingWebhooks', service({}));
      context.expect(hook?.clientConfig?.service?.port, 'when left out').toBe(443);
      context
        .expect(
          (await postHook(context, 'validatingWebhooks', service({ port: 8443 }))).hook?.clientConfig?.service,
          'when given',
        )
        .toMatchObject({ name: 'hook' });
    },
  }),

  // A `service` is called at `/` unless it has a path.
  defineRule('webhook.client-config.service.path', {
    needs,
    sabotage: [
      uncalled,
      misreadHook('calls services at another path', (hook) => ({
        ...hook,
        clientConfig: { ...hook.clientConfig, service: { ...hook.clientConfig.service, path: '/elsewhere' } },
      })),
    ],
    async check(context) {
      const { secrets, expect } = context;
      const { hook, clientConfig } = await serviceHook(context);
      await configure(context, 'validating', [{ over: { clientConfig, failurePolicy: 'Ignore' } }]);
      await secrets.create();
      expect(hook.received.map(({ path }) => path)).toEqual(['/']);
    },
  }),

  // Without a `caBundle` the roots of the system are trusted.
  defineRule('webhook.client-config.ca-bundle.absent', {
    needs,
    sabotage: [
      uncalled,
      misreadHook('trusts everybody', (hook) => ({ ...hook, objectSelector: { matchLabels: { to: 'nobody' } } })),
    ],
    async check(context) {
      const { secrets, expect } = context;
      const stranger = { to: 'stranger' };
      const { hooks } = await configure(context, 'validating', [
        { over: { clientConfig: { caBundle: undefined }, objectSelector: { matchLabels: stranger } } },
      ]);
      expect((await secrets.post(secrets.sample())).status, 'without a call').toBe(201);
      // No system has the suite's own authority among its roots.
      const { status } = await secrets.post(secrets.sample({ metadata: { labels: stranger } }));
      expect(status, 'a webhook that no root of the system vouches for').toBeGreaterThanOrEqual(500);
      expect(hooks[0]?.received).toEqual([]);
    },
  }),

  // A webhook whose certificate `caBundle` does not vouch for is as good as not reached.
  defineRule('webhook.client-config.ca-bundle', {
    needs,
    sabotage: [
      uncalled,
      misreadHook('trusts nobody', (hook) => ({
        ...hook,
        failurePolicy: 'Ignore',
        clientConfig: { ...hook.clientConfig, caBundle: base64(authorityPem) },
      })),
    ],
    async check(context) {
      const { secrets, expect } = context;
      const { hooks, name } = await configure(context, 'validating', [
        {},
        {
          over: {
            clientConfig: { caBundle: base64(authorityPem) },
            failurePolicy: 'Fail',
            objectSelector: { matchLabels: { to: 'stranger' } },
          },
        },
      ]);
      expect((await secrets.post(secrets.sample())).status, 'a webhook that it vouches for').toBe(201);
      expect(hooks[0]?.received).toHaveLength(1);
      const { status } = await secrets.post(secrets.sample({ metadata: { labels: { to: 'stranger' } } }));
      expect(status, 'a webhook that it does not vouch for').toBeGreaterThanOrEqual(500);
      expect(hooks[1]?.received).toEqual([]);
      await losesTrust(context, name);
    },
  }),
];
