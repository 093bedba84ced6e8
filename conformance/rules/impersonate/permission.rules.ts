import { defineRule, type Rule } from '../../rule.ts';
import { unguarded } from '../../sabotage/careless.ts';
import { answerStatus, requestHeader } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import { callerWith } from '../../verbs/identity.ts';

const acting = { header: { 'impersonate-user': /./ } };
const users = { apiGroups: [''], resources: ['users'], verbs: ['impersonate'] };
const authentication = 'authentication.k8s.io';

/** With the rules a caller may act with these headers, with the smaller rules it may not. */
const permissionRule = (
  id: string,
  headers: Readonly<Record<string, string>>,
  rules: readonly Json[],
  tooFew: readonly Json[],
): Rule =>
  defineRule(`impersonate.permission.${id}`, {
    needs: ['second-user'],
    sabotage: [unguarded(acting), answerStatus(403, { ...acting, instead: 200 })],
    async check(context) {
      const status = async (caller: Awaited<ReturnType<typeof callerWith>>) =>
        (await caller.send('GET', '/api', { headers })).status;
      const caller = await callerWith(context, rules);
      await context.waitUntil(
        'the right is in effect',
        () => status(caller),
        (code) => code === 200,
      );
      context.expect(await status(await callerWith(context, tooFew)), 'without it').toBe(403);
    },
  });

const jane = { 'impersonate-user': 'touchstone-jane' };
const account = { 'impersonate-user': 'system:serviceaccount:touchstone:robot' };

export default [
  permissionRule('users', jane, [users], [{ ...users, resources: ['groups'] }]),
  permissionRule(
    'groups',
    { ...jane, 'impersonate-group': 'devs' },
    [users, { ...users, resources: ['groups'] }],
    [users],
  ),
  permissionRule('serviceaccounts', account, [{ ...users, resources: ['serviceaccounts'] }], [users]),
  permissionRule(
    'uids',
    { ...jane, 'impersonate-uid': 'u-1' },
    [users, { ...users, apiGroups: [authentication], resources: ['uids'] }],
    [users],
  ),
  permissionRule(
    'userextras',
    { ...jane, 'impersonate-extra-colour': 'red' },
    [users, { ...users, apiGroups: [authentication], resources: ['userextras/colour'] }],
    [users, { ...users, apiGroups: [authentication], resources: ['userextras/size'] }],
  ),
  permissionRule(
    'resource-names',
    jane,
    [{ ...users, resourceNames: [jane['impersonate-user']] }],
    [{ ...users, resourceNames: ['somebody-else'] }],
  ),

  // Without the permission it is 403.
  defineRule('impersonate.permission.denied', {
    needs: ['second-user'],
    sabotage: [answerStatus(401, { ...acting, instead: 403 }), requestHeader('impersonate-user', undefined)],
    async check(context) {
      const caller = await callerWith(context, []);
      const { status, body } = await caller.send('GET', '/api', { headers: jane });
      context.expect(status).toBe(403);
      context.expect(body).toMatchObject({ kind: 'Status', status: 'Failure', code: 403 });
      context.expect((await caller.send('GET', '/api')).status, 'as themselves').toBe(200);
    },
  }),
];
