import { nameOf } from '../checks/access/callers.ts';
import { mighty, reviewToken, serviceAccountToken, whoAmI } from '../checks/access/identity.ts';
import { labNames } from '../lab/lab.ts';
import { defineRule } from '../rule.ts';
import { misnames } from '../sabotage/careless.ts';
import { answerStatus, answerWith, changeAnswer, removeIn, replaceIn } from '../sabotage/transforms.ts';
import { isBuiltIn, servedResources, servedVersions } from '../verbs/discovery.ts';

const requests = { path: /\/certificatesigningrequests$/ };

export default [
  // A user is a name, a uid, a set of groups and extra values.
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

  // Whoever is authenticated is in `system:authenticated`.
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

  // There is no object type for users.
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

  // Service accounts are users kept as objects, each in its namespace.
  defineRule('authn.service-accounts-objects', {
    sabotage: [
      replaceIn('metadata.namespace', { method: 'GET', path: /\/serviceaccounts\/[^/]+$/ }),
      replaceIn('status.user.username', { path: /\/tokenreviews$/ }),
      removeIn('status.user.uid', { path: /\/tokenreviews$/ }),
    ],
    async check(context) {
      const { serviceAccounts, namespace, expect } = context;
      const { account, token } = await serviceAccountToken(context);
      const { name } = account.metadata;
      expect((await serviceAccounts.get(name)).body?.metadata).toMatchObject({ name, namespace: await namespace() });
      const { user } = await reviewToken(context, token);
      expect(user?.username).toBe(`system:serviceaccount:${await namespace()}:${name}`);
      expect(user?.uid, 'its uid').toBe(account.metadata.uid);
    },
  }),

  // A client certificate, a bearer token or an authenticating proxy tells who asks.
  defineRule('authn.methods', {
    needs: ['lab'],
    sabotage: [
      answerStatus(401, { path: /^\/api\/v1\/nodes$/, instead: 403 }),
      misnames({ path: /^\/api\/v1\/nodes$/ }),
    ],
    async check({ withCertificate, withToken, lab, expect }) {
      expect(await nameOf(withCertificate(lab.certificate('alice'))), 'a client certificate').toBe('alice');
      expect(await nameOf(withToken(lab.token('bob'))), 'a bearer token').toBe('bob');
      const proxy = withCertificate(lab.certificate('proxy'));
      expect(await nameOf(proxy, { [labNames.proxyUserHeader]: 'fay' }), 'an authenticating proxy').toBe('fay');
    },
  }),

  // Any other protocol goes through a proxy or the token webhook.
  defineRule('authn.other-protocols', {
    needs: ['lab'],
    sabotage: [
      answerStatus(401, { path: /^\/api\/v1\/nodes$/, instead: 403 }),
      misnames({ path: /^\/api\/v1\/nodes$/ }),
    ],
    async check({ withCertificate, withToken, lab, unique, expect }) {
      const proxy = withCertificate(lab.certificate('proxy'));
      expect(await nameOf(proxy, { [labNames.proxyUserHeader]: 'fay' }), 'by a proxy').toBe('fay');
      const name = unique('hooked');
      const token = lab.hookToken({ status: { authenticated: true, user: { username: name } } });
      expect(await nameOf(withToken(token)), 'by the token webhook').toBe(name);
    },
  }),

  // Of several methods the first to succeed has decided.
  defineRule('authn.first-success', {
    needs: ['lab'],
    sabotage: [
      answerStatus(401, { path: /^\/api\/v1\/nodes$/, instead: 403 }),
      replaceIn('message', { path: /^\/api\/v1\/nodes$/, with: 'User "nobody"' }),
    ],
    async check({ withCertificate, lab, expect }) {
      const [alice, bob] = [lab.certificate('alice'), lab.token('bob')];
      expect(['alice', 'bob'], 'two that succeed').toContain(await nameOf(withCertificate(alice, bob)));
      expect(await nameOf(withCertificate(lab.certificate('stranger'), bob)), 'only the second succeeds').toBe('bob');
      expect(await nameOf(withCertificate(alice, 'not-a-token-of-anybody')), 'only the first succeeds').toBe('alice');
      expect(
        await nameOf(withCertificate(lab.certificate('stranger'), 'not-a-token-of-anybody')),
        'none succeeds',
      ).toBe('401');
    },
  }),

  // Which method comes first is not promised.
  defineRule('authn.order', {
    needs: ['lab'],
    sabotage: [
      answerStatus(401, { path: /^\/api\/v1\/nodes$/, instead: 403 }),
      misnames({ path: /^\/api\/v1\/nodes$/ }),
    ],
    async check({ withCertificate, lab, expect }) {
      const name = await nameOf(withCertificate(lab.certificate('alice'), lab.token('bob')));
      expect(['alice', 'bob'], 'either of the two').toContain(name);
    },
  }),
];
