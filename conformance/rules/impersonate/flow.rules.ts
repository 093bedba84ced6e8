import { defineRule } from '../../rule.ts';
import { answerStatus, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import { callerWith, mighty, whoAmI } from '../../verbs/identity.ts';

const acting = { header: { 'impersonate-user': /./ } };

export default [
  defineRule('impersonate.flow.authenticate-first', {
    sabotage: answerStatus(200, { ...acting, instead: 401 }),
    async check({ send, expect }) {
      expect((await send('GET', '/api')).status, 'with valid credentials').toBe(200);
      const headers = { authorization: 'Bearer not-a-token-of-anybody', 'impersonate-user': 'jane' };
      expect((await send('GET', '/api', { headers })).status, 'with invalid ones').toBe(401);
    },
  }),

  defineRule('impersonate.flow.permission', {
    needs: ['second-user'],
    sabotage: [requestHeader('impersonate-user', undefined), answerStatus(403, { ...acting, instead: 200 })],
    async check(context) {
      const { waitUntil, unique, expect } = context;
      const name = unique('jane');
      const headers = { 'impersonate-user': name };
      const without = await callerWith(context, []);
      expect((await without.send('GET', '/api', { headers })).status, 'a caller without the right').toBe(403);
      const caller = await callerWith(context, [
        { apiGroups: [''], resources: ['users'], resourceNames: [name], verbs: ['impersonate'] },
      ]);
      const attempt = async () => (await caller.send('GET', '/api', { headers })).status;
      await waitUntil('a caller with the right may impersonate', attempt, (status) => status === 200);
    },
  }),

  defineRule('impersonate.flow.replaced', {
    needs: ['second-user'],
    sabotage: [
      replaceIn('spec.username', { path: /\/certificatesigningrequests$/ }),
      replaceIn('spec.groups', { path: /\/certificatesigningrequests$/, with: ['system:masters'] }),
    ],
    async check(context) {
      const name = context.unique('jane');
      const { username, groups } = await whoAmI(context, mighty(name));
      context.expect(username).toBe(name);
      context.expect([...groups].sort()).toEqual(['system:authenticated', 'system:masters']);
    },
  }),

  defineRule('impersonate.flow.authorized-as', {
    needs: ['second-user'],
    sabotage: requestHeader('impersonate-user', undefined),
    async check({ secrets, as, unique, expect }) {
      const { metadata } = await secrets.create();
      expect((await secrets.get(metadata.name)).status, 'the caller').toBe(200);
      const theirs = as({ name: unique('nobody') }).secrets;
      expect((await theirs.get(metadata.name)).status, 'whom the caller acts as').toBe(403);
    },
  }),
];
