import { base64 } from '../../../fixtures/certificates.ts';
import { hostInUrl } from '../../../host-in-url.ts';
import { hookPort, serviceHook } from '../../checks/webhooks/webhook-services.ts';
import { type WebhookUser, webhookUsersFlag } from '../../lab/admission-configuration.ts';
import type { ReceivedReview } from '../../lab/admission-webhook.ts';
import type { Lab } from '../../lab/lab.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { misreadHook, uncalled } from '../../sabotage/webhooks.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { configure } from '../../verbs/webhooks.ts';

const needs = ['webhooks', 'lab'] as const;
const tokenOf = (name: string, token: string): WebhookUser => ({ name, user: { token } });

/** How a webhook of each type is called when the server was started with these users. */
const callRule = (
  id: string,
  users: (lab: Lab) => readonly WebhookUser[],
  holds: (call: ReceivedReview | undefined, context: RuleContext, type: string) => void,
): Rule =>
  defineRule(`admission.control-config.${id}`, {
    needs,
    flags: (lab) => [webhookUsersFlag(lab, users(lab))],
    sabotage: uncalled,
    async check(context) {
      for (const type of ['validating', 'mutating'] as const) {
        const { hooks } = await configure(context, type, [{}]);
        await context.secrets.create();
        holds(hooks[0]?.received[0], context, type);
      }
    },
  });

const bearer =
  (token: string) =>
  (call: ReceivedReview | undefined, { expect }: RuleContext, type: string) =>
    expect(call?.authorization, type).toBe(`Bearer ${token}`);

const forgiving = { over: { failurePolicy: 'Ignore' } };
export default [
  callRule('file', () => [tokenOf('*', 'by-the-file')], bearer('by-the-file')),
  callRule('plugins', () => [tokenOf('*', 'for-both-plugins')], bearer('for-both-plugins')),
  // A user in that file is named for the webhook's host, with the port unless that is 443; a service's host ends in
  // `.svc`.
  defineRule('admission.control-config.user-name', {
    needs: ['webhooks', 'lab', 'flags'],
    sabotage: [
      uncalled,
      misreadHook('calls somebody else', (hook) => ({ ...hook, clientConfig: { url: 'https://127.0.0.1:1/' } })),
    ],
    async check(context) {
      const { lab, start, webhookHost, expect } = context;
      const port = await hookPort(webhookHost);
      const host = hostInUrl(webhookHost);
      const named = [
        tokenOf(`${host}:${port}`, 'by-host-and-port'),
        tokenOf(host, 'for-port-443'),
        tokenOf('*', 'else'),
      ];
      const started = await start([...lab.flags, webhookUsersFlag(lab, named)]);
      const { hooks } = await configure(started, 'validating', [forgiving]);
      await started.secrets.create();
      expect(hooks[0]?.received[0]?.authorization, 'a webhook given by its address').toBe('Bearer by-host-and-port');
    },
  }),

  // A user's name may begin with `*` for any prefix, and `*` alone is for everyone else.
  defineRule('admission.control-config.wildcard', {
    needs: ['webhooks', 'lab', 'flags'],
    sabotage: uncalled,
    async check(context) {
      const { lab, start, webhookHost, unique, expect } = context;
      const port = await hookPort(webhookHost);
      const marked = unique('marked');
      const users = [
        tokenOf(`*.${marked}.svc:${port}`, 'by-prefix'),
        tokenOf(hostInUrl(webhookHost), 'for-port-443'),
        tokenOf('*', 'for-everyone-else'),
      ];
      const started = await start([...lab.flags, webhookUsersFlag(lab, users)]);
      await started.namespaces.create({ metadata: { name: marked } });
      const { hook, clientConfig } = await serviceHook(started, marked);
      const { hooks } = await configure(started, 'validating', [forgiving, { over: { clientConfig } }]);
      await started.secrets.create();
      expect(hook.received[0]?.authorization, 'a webhook that a prefix fits').toBe('Bearer by-prefix');
      expect(hooks[0]?.received[0]?.authorization, 'any other').toBe('Bearer for-everyone-else');
    },
  }),

  callRule('token', () => [tokenOf('*', 'a-token')], bearer('a-token')),
  callRule(
    'basic',
    () => [{ name: '*', user: { username: 'me', password: 'pw' } }],
    (call, { expect }, type) => expect(call?.authorization, type).toBe(`Basic ${base64('me:pw')}`),
  ),

  callRule(
    'certificate',
    (lab) => {
      const { certificate, key } = lab.certificate('alice');
      return [{ name: '*', user: { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) } }];
    },
    (call, { expect }, type) => expect(call?.certificate, type).toBe('alice'),
  ),
];
