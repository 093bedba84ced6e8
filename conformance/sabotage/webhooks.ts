import { spoiledUrl } from '../lab/admission-webhook.ts';
import type { Json } from '../verbs/client.ts';
import { probeName } from '../verbs/webhooks.ts';
import type { Sabotage } from './sabotage.ts';
import { changeRequest } from './transforms.ts';

const writes = { method: ['POST', 'PUT'], path: /\/(mutating|validating)webhookconfigurations(\/[^/]+)?$/ };

const changeHooks = (name: string, change: (hooks: Json[]) => Json[]): Sabotage =>
  changeRequest(
    name,
    (body) => {
      const [mine, probe] = [
        body.webhooks.filter((hook: Json) => hook.name !== probeName),
        body.webhooks.filter((hook: Json) => hook.name === probeName),
      ];
      return { ...body, webhooks: [...change(mine), ...probe] };
    },
    writes,
  );

/** The server takes each webhook for another one. */
export const misreadHook = (name: string, change: (hook: Json, index: number) => Json): Sabotage =>
  changeHooks(name, (hooks) => hooks.map(change));

/** The server takes no notice of webhooks. */
export const uncalled = changeHooks('calls no webhook', () => []);

/** Members of the configuration that the server does not heed; undefined leaves one out. */
export const misreadMember = (member: string, value: Json): Sabotage =>
  misreadHook(`takes ${member} for ${JSON.stringify(value)}`, (hook) => ({ ...hook, [member]: value }));

const spoilt = (hook: Json, path: string, value: Json): Json => ({
  ...hook,
  clientConfig: { ...hook.clientConfig, url: spoiledUrl(hook.clientConfig.url, path, value) },
});

/** The server sends reviews with a wrong part. */
export const spoilReview = (path: string, value: Json): Sabotage =>
  misreadHook(`sends a wrong ${path}`, (hook) => spoilt(hook, path, value));

/** The server calls each webhook of a configuration this many milliseconds later than the one before it. */
export const oneByOne = (milliseconds: number): Sabotage =>
  misreadHook('calls one webhook after the other', (hook, index) => spoilt(hook, 'at', index * milliseconds));

/** The server calls its mutating webhooks last. */
export const mutatingLast = changeRequest(
  'calls mutating webhooks last',
  (body) => ({ ...body, webhooks: body.webhooks.map((hook: Json) => spoilt(hook, 'at', 60_000)) }),
  { ...writes, path: /\/mutatingwebhookconfigurations$/ },
);
