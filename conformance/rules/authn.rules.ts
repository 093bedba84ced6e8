import { defineRule } from '../rule.ts';
import { answerWith, changeAnswer, replaceIn } from '../sabotage/transforms.ts';
import { isBuiltIn, servedResources, servedVersions } from '../verbs/discovery.ts';
import { mighty, reviewToken, serviceAccountToken, whoAmI } from '../verbs/identity.ts';

const requests = { path: /\/certificatesigningrequests$/ };

export default [
  defineRule('authn.attributes', {
    needs: ['second-user'],
    sabotage: ['username', 'uid', 'groups', 'extra'].map((field) =>
      replaceIn(`spec.${field}`, { ...requests, with: 7 }),
    ),
    async check(context) {
      const { expect, unique } = context;
      const identity = await whoAmI(
        context,
        mighty(unique('jane'), { 'impersonate-uid': 'u-1', 'impersonate-extra-colour': ['red', 'blue'] }),
      );
      expect(identity.username).toBeTypeOf('string');
      expect(identity.uid).toBe('u-1');
      expect(identity.groups).toEqual(expect.arrayContaining(['system:masters']));
      expect(identity.extra).toEqual({ colour: ['red', 'blue'] });
    },
  }),

  defineRule('authn.group-authenticated', {
    needs: ['second-user'],
    sabotage: [
      replaceIn('spec.groups', { ...requests, with: ['system:masters'] }),
      replaceIn('status.user.groups', { path: /\/tokenreviews$/, with: [] }),
    ],
    async check(context) {
      const { expect, unique } = context;
      expect((await whoAmI(context)).groups, 'the administrator').toContain('system:authenticated');
      expect((await whoAmI(context, mighty(unique('jane')))).groups, 'an impersonated user').toContain(
        'system:authenticated',
      );
      const { token } = await serviceAccountToken(context);
      expect((await reviewToken(context, token)).user?.groups ?? [], 'a service account').toContain(
        'system:authenticated',
      );
    },
  }),

  defineRule('authn.users-not-objects', {
    sabotage: [
      changeAnswer(
        'serves users',
        (body) => ({ ...body, resources: [...(body.resources ?? []), { name: 'users', kind: 'User' }] }),
        { path: /^\/api\/v1$/ },
      ),
      answerWith(200, { kind: 'UserList', items: [] }, { path: /^\/api\/v1\/users$/ }),
    ],
    async check({ send, expect }) {
      const names: string[] = [];
      for (const groupVersion of (await servedVersions(send)).filter(isBuiltIn)) {
        for (const { name, kind } of await servedResources(send, groupVersion)) names.push(name, kind);
      }
      expect(names, 'what is served').toContain('serviceaccounts');
      for (const name of ['users', 'groups', 'User', 'Group']) expect(names).not.toContain(name);
      for (const path of ['/api/v1/users', '/api/v1/groups']) expect((await send('GET', path)).status, path).toBe(404);
    },
  }),

  defineRule('authn.service-accounts-objects', {
    sabotage: [
      replaceIn('metadata.namespace', { method: 'GET', path: /\/serviceaccounts\/[^/]+$/ }),
      replaceIn('status.user.username', { path: /\/tokenreviews$/ }),
    ],
    async check(context) {
      const { serviceAccounts, namespace, expect } = context;
      const { account, token } = await serviceAccountToken(context);
      const { name } = account.metadata;
      expect((await serviceAccounts.get(name)).body?.metadata).toMatchObject({ name, namespace: await namespace() });
      expect((await reviewToken(context, token)).user?.username).toBe(
        `system:serviceaccount:${await namespace()}:${name}`,
      );
    },
  }),
];
