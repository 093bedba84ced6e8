import { defineRule } from '../../rule.ts';
import { answerStatus, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import { bind } from '../../verbs/permissions.ts';

const nobody = { credentials: false };
const wrong = { authorization: /not-a-token/ };

export default [
  // Who brings no credentials is `system:anonymous` in `system:unauthenticated`.
  defineRule('authn.anonymous.user', {
    sabotage: [answerStatus(401, { instead: 403 }), replaceIn('message', { with: 'forbidden', path: /\/secrets$/ })],
    async check(context) {
      const { secrets, send, waitUntil, expect } = context;
      const { status, body } = await secrets.getAll('', nobody);
      expect(status).toBe(403);
      expect(body?.message, 'who is refused').toContain('system:anonymous');
      expect((await send('GET', '/version', nobody)).status, 'what everybody may read').toBe(200);
      const group = (name: string) => ({ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name });
      const mayList = (resource: string) => [{ apiGroups: [''], resources: [resource], verbs: ['list'] }];
      await bind(context, group('system:authenticated'), mayList('secrets'), true);
      await bind(context, group('system:unauthenticated'), mayList('services'), true);
      const services = async () => (await context.services.getAll('', nobody)).status;
      await waitUntil('what the group of the unauthenticated may do is allowed', services, (code) => code === 200);
      expect((await secrets.getAll('', nobody)).status, 'what the group of the authenticated may do').toBe(403);
    },
  }),

  // Who brings a wrong token is not anonymous but gets 401.
  defineRule('authn.anonymous.invalid-token', {
    sabotage: [answerStatus(403, { instead: 401 }), requestHeader('authorization', undefined, { header: wrong })],
    async check({ secrets, send, expect }) {
      const headers = { authorization: 'Bearer not-a-token-of-anybody' };
      expect((await secrets.getAll('', { headers })).status).toBe(401);
      expect((await send('GET', '/version', { headers })).status, 'not even what everybody may read').toBe(401);
    },
  }),

  // There are anonymous users unless said otherwise or all is allowed to all.
  defineRule('authn.anonymous.default', {
    sabotage: answerStatus(401, { path: /^\/(version|livez)$/ }),
    async check({ send, namespace, expect }) {
      await namespace();
      for (const path of ['/version', '/livez']) expect((await send('GET', path, nobody)).status, path).toBe(200);
    },
  }),

  // `--anonymous-auth=false` has no anonymous users.
  defineRule('authn.anonymous.flag', {
    flags: ['--anonymous-auth=false'],
    sabotage: answerStatus(403, { instead: 401 }),
    async check({ secrets, expect }) {
      expect((await secrets.getAll()).status, 'with credentials').toBe(200);
      expect((await secrets.getAll('', nobody)).status, 'without').toBe(401);
    },
  }),

  // With the mode AlwaysAllow there are no anonymous users unless asked for.
  defineRule('authn.anonymous.always-allow', {
    flags: ['--authorization-mode=AlwaysAllow'],
    sabotage: answerStatus(200, { instead: 401 }),
    async check({ secrets, expect }) {
      expect((await secrets.getAll()).status, 'with credentials').toBe(200);
      expect((await secrets.getAll('', nobody)).status, 'without').toBe(401);
    },
  }),
];
