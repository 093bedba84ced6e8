import { bind } from '../../checks/access/permissions.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, answerWith, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { reviewed } from '../../verbs/rights-review.ts';

const nobody = { credentials: false };
const wrong = { authorization: /not-a-token/ };
const unnamed = { authorization: /^$/ };
/** What everybody may read where there are anonymous users. */
const open = { path: /^\/(version|livez)$/ };

/** Where all is allowed to all, there are no anonymous users unless asked for. */
async function wantsAnonymous({ send, skip }: RuleContext): Promise<void> {
  if ((await send('GET', '/version', nobody)).status !== 401) return;
  const spec = { user: 'a-stranger-to-all', resourceAttributes: { verb: '*', group: '*', resource: '*' } };
  const review = await reviewed(send, 'SubjectAccessReview', spec);
  if (review.body?.status?.allowed === true) skip('all is allowed to all, and there are no anonymous users');
}

/** Who brings no credentials is nobody, not even for what everybody may read elsewhere. */
async function refusesNobody({ secrets, send, expect }: RuleContext): Promise<void> {
  expect((await secrets.getAll()).status, 'with credentials').toBe(200);
  expect((await secrets.getAll('', nobody)).status, 'without').toBe(401);
  for (const path of ['/version', '/livez']) expect((await send('GET', path, nobody)).status, path).toBe(401);
}

export default [
  // Who brings no credentials is `system:anonymous` in `system:unauthenticated`.
  defineRule('authn.anonymous.user', {
    sabotage: [answerStatus(401, { instead: 403 }), replaceIn('message', { with: 'forbidden', path: /\/secrets$/ })],
    async check(context) {
      const { secrets, send, waitUntil, expect } = context;
      await wantsAnonymous(context);
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
    sabotage: [answerStatus(401, open), answerWith(200, {}, { ...open, header: unnamed })],
    async check(context) {
      const { send, namespace, expect } = context;
      await namespace();
      await wantsAnonymous(context);
      for (const path of ['/version', '/livez']) {
        const answer = await send('GET', path, nobody);
        expect(answer.status, path).toBe(200);
        expect(answer.text, `${path}, as told to others`).toBe((await send('GET', path)).text);
      }
    },
  }),

  // `--anonymous-auth=false` has no anonymous users.
  defineRule('authn.anonymous.flag', {
    flags: ['--anonymous-auth=false'],
    sabotage: [answerStatus(403, { instead: 401 }), answerWith(200, {}, { ...open, header: unnamed })],
    check: refusesNobody,
  }),

  // With the mode AlwaysAllow there are no anonymous users unless asked for.
  defineRule('authn.anonymous.always-allow', {
    flags: ['--authorization-mode=AlwaysAllow'],
    sabotage: [answerStatus(200, { instead: 401 }), answerWith(200, {}, { ...open, header: unnamed })],
    check: refusesNobody,
  }),
];
