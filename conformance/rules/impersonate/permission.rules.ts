import { callerWith, serviceAccountToken } from '../../checks/access/identity.ts';
import { bind } from '../../checks/access/permissions.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { unguarded } from '../../sabotage/careless.ts';
import { answerStatus, requestHeader } from '../../sabotage/transforms.ts';
import type { Json, SendOptions } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { onceAllowed } from '../../verbs/until-status.ts';

const acting = { header: { 'impersonate-user': /./ } };
const users = { apiGroups: [''], resources: ['users'], verbs: ['impersonate'] };
const accounts = { ...users, resources: ['serviceaccounts'] };
const authentication = 'authentication.k8s.io';

/** With the rules a caller may act with these headers, with the smaller rules it may not. */
const permissionRule = (
  id: string,
  headers: Readonly<Record<string, string>>,
  rules: readonly Json[],
  tooFew: readonly Json[],
  besides?: (context: RuleContext) => Promise<void>,
): Rule =>
  defineRule(`impersonate.permission.${id}`, {
    needs: ['second-user', 'rights'],
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
      await besides?.(context);
    },
  });

const jane = { 'impersonate-user': 'touchstone-jane' };
const account = { 'impersonate-user': 'system:serviceaccount:touchstone:robot' };

/** Whom one who may be certain others may not be. */
const notGranted: Readonly<Record<string, NonNullable<SendOptions['headers']>>> = {
  'another uid': { 'impersonate-uid': 'u-2' },
  'another service account': { 'impersonate-user': 'system:serviceaccount:touchstone:other' },
  'another user': { 'impersonate-user': 'somebody-else' },
  'another group': { 'impersonate-group': 'ops' },
  'the group of everybody': { 'impersonate-group': 'system:authenticated' },
  'another group behind one that is granted': { 'impersonate-group': ['devs', 'ops'] },
  'another value': { 'impersonate-extra-colour': 'blue' },
  'another value behind one that is granted': { 'impersonate-extra-colour': ['red', 'blue'] },
  'another extra behind one that is granted': { 'impersonate-extra-colour': 'red', 'impersonate-extra-size': 's' },
  'another extra before one that is granted': { 'impersonate-extra-age': '7', 'impersonate-extra-colour': 'red' },
};

export default [
  permissionRule('users', jane, [users], [{ ...users, resources: ['groups'] }]),
  permissionRule(
    'groups',
    { ...jane, 'impersonate-group': 'devs' },
    [users, { ...users, resources: ['groups'] }],
    [users],
  ),
  permissionRule('serviceaccounts', account, [accounts], [users], async (context) => {
    const { account: owner, token } = await serviceAccountToken(context);
    const { name, namespace } = owner.metadata;
    await bind(context, { kind: 'ServiceAccount', name, namespace }, [accounts], true);
    const caller = context.withToken(token);
    const status = async (where: string) => {
      const headers = { 'impersonate-user': `system:serviceaccount:${where}:robot` };
      return (await caller.send('GET', '/api', { headers })).status;
    };
    await context.waitUntil(
      'the right is in effect in one namespace',
      () => status(namespace),
      (code) => code === 200,
    );
    context.expect(await status('touchstone'), 'in another namespace').toBe(403);
  }),
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
    async (context) => {
      // What a header's name cannot hold is percent-encoded there, and nowhere else.
      const key = 'example.com/scope';
      const rule = { ...users, apiGroups: [authentication], resources: [`userextras/${key}`] };
      const caller = await callerWith(context, [users, rule]);
      const headers = { ...jane, [`impersonate-extra-${encodeURIComponent(key)}`]: 'one' };
      await context.waitUntil(
        'the right to an extra whose key is encoded is in effect',
        async () => (await caller.send('GET', '/api', { headers })).status,
        (code) => code === 200,
      );
    },
  ),

  // Such a permission can be limited to certain values by `resourceNames`.
  defineRule('impersonate.permission.resource-names', {
    needs: ['second-user', 'rights'],
    sabotage: [
      unguarded(acting),
      answerStatus(403, { ...acting, instead: 200 }),
      unguarded({ header: { 'impersonate-group': /ops/ } }),
      unguarded({ header: { 'impersonate-uid': /u-2/ } }),
      answerStatus(403, { header: { 'impersonate-uid': /u-1/ }, instead: 200 }),
    ],
    async check(context) {
      const caller = await callerWith(context, [
        { ...users, resourceNames: [jane['impersonate-user']] },
        { ...users, resources: ['groups'], resourceNames: ['devs', 'testers'] },
        { ...users, apiGroups: [authentication], resources: ['userextras/colour'], resourceNames: ['red'] },
        { ...users, apiGroups: [authentication], resources: ['uids'], resourceNames: ['u-1'] },
        { ...accounts, resourceNames: ['robot'] },
      ]);
      const act = (more: NonNullable<SendOptions['headers']>) =>
        caller.send('GET', '/api', { headers: { ...jane, ...more } });
      const status = async (more: NonNullable<SendOptions['headers']>) => (await act(more)).status;
      const mayAct = async (what: string, more: NonNullable<SendOptions['headers']>) =>
        context.expect((await onceAllowed(what, () => act(more))).status, what).toBe(200);
      await context.waitUntil(
        'the right is in effect',
        () => status({ 'impersonate-group': ['devs', 'testers'], 'impersonate-extra-colour': 'red' }),
        (code) => code === 200,
      );
      await mayAct('the uid', { 'impersonate-uid': 'u-1' });
      await mayAct('the service account', account);
      const coloured = { 'impersonate-extra-colour': 'red' };
      const allowed = { ...coloured, 'impersonate-group': ['devs', 'testers'], 'impersonate-uid': 'u-1' };
      await mayAct('all of it at once', allowed);
      await mayAct('all of it with the service account', { ...allowed, ...account });
      for (const [what, headers] of Object.entries(notGranted)) {
        context.expect(await status(headers), what).toBe(403);
        context.expect(await status({ ...allowed, ...headers }), `${what}, beside all that is granted`).toBe(403);
        const asAccount = { ...account, ...headers };
        context.expect(await status(asAccount), `${what}, beside a service account`).toBe(403);
      }
    },
  }),

  // Without the permission it is 403.
  defineRule('impersonate.permission.denied', {
    needs: ['second-user', 'rights'],
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
