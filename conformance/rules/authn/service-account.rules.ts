import { defineRule } from '../../rule.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import { nameOf, reception } from '../../verbs/callers.ts';
import { reviewToken, serviceAccountToken } from '../../verbs/identity.ts';
import { preparePods } from '../../verbs/pods.ts';

const reviews = { path: /\/tokenreviews$/ };

const decoded = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8') || 'null');

export default [
  defineRule('authn.service-account.jwt', {
    sabotage: [
      replaceIn('status.token', { with: 'plain-secret', path: /\/token$/ }),
      answerStatus(401, { path: /^\/api$/ }),
    ],
    async check(context) {
      const { withToken, expect } = context;
      const { token } = await serviceAccountToken(context);
      const parts = token.split('.');
      expect(parts, 'header, claims and signature').toHaveLength(3);
      expect(decoded(parts[0])?.alg).toMatch(/^(RS|ES|PS)\d+$/);
      expect(decoded(parts[1])?.sub).toMatch(/^system:serviceaccount:/);
      expect((await withToken(token).send('GET', '/api')).status, 'sent as bearer token').toBe(200);
      const forged = `${parts[0]}.${parts[1]}.${Buffer.alloc(256, 1).toString('base64url')}`;
      expect((await withToken(forged).send('GET', '/api')).status, 'with another signature').toBe(401);
    },
  }),

  defineRule('authn.service-account.username', {
    sabotage: replaceIn('status.user.username', reviews),
    async check(context) {
      const { account, token } = await serviceAccountToken(context);
      const { name, namespace } = account.metadata;
      context
        .expect((await reviewToken(context, token)).user?.username)
        .toBe(`system:serviceaccount:${namespace}:${name}`);
    },
  }),

  defineRule('authn.service-account.groups', {
    sabotage: replaceIn('status.user.groups', { ...reviews, with: ['system:authenticated'] }),
    async check(context) {
      const { account, token } = await serviceAccountToken(context);
      const { groups = [] } = (await reviewToken(context, token)).user ?? {};
      context.expect(groups).toContain('system:serviceaccounts');
      context.expect(groups).toContain(`system:serviceaccounts:${account.metadata.namespace}`);
    },
  }),

  defineRule('authn.service-account.pod-field', {
    needs: ['pods'],
    sabotage: replaceIn('spec.serviceAccountName', { method: 'GET', path: /\/pods\/[^/]+$/ }),
    async check(context) {
      const { pods, serviceAccounts, expect } = context;
      await preparePods(context);
      const account = await serviceAccounts.create();
      const other = await serviceAccounts.create();
      const { metadata } = await pods.create({ spec: { serviceAccountName: account.metadata.name } });
      expect((await pods.get(metadata.name)).body?.spec?.serviceAccountName).toBe(account.metadata.name);
      const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: metadata.name, uid: metadata.uid };
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { boundObjectRef } };
      const tokenOf = (name: string) => serviceAccounts.postTo(name, 'token', request);
      expect((await tokenOf(account.metadata.name)).status, 'a token for the pod, of its account').toBe(201);
      const refused = await tokenOf(other.metadata.name);
      expect(refused.status, 'a token for the pod, of another account').toBeGreaterThanOrEqual(400);
      expect(refused.status, 'a token for the pod, of another account').toBeLessThan(500);
    },
  }),

  defineRule('authn.service-account.key-file', {
    needs: ['lab'],
    sabotage: [
      answerStatus(401, { path: /^\/api\/v1\/nodes$/, instead: 403 }),
      answerStatus(403, { path: /^\/api\/v1\/nodes$/, instead: 401 }),
    ],
    async check({ serviceAccounts, withToken, lab, expect }) {
      const { metadata } = await serviceAccounts.create();
      const { namespace, name, uid } = metadata;
      // One file holds an RSA key, another an ECDSA key.
      for (const key of ['service-account', 'service-account-3'] as const) {
        const token = lab.serviceAccountToken({ namespace, name, uid }, {}, key);
        expect(await nameOf(withToken(token)), key).toBe(`system:serviceaccount:${namespace}:${name}`);
      }
      const forged = lab.serviceAccountToken({ namespace, name, uid }, {}, 'issuer');
      expect(await reception(withToken(forged)), 'a key that is in no file').toBe(401);
    },
  }),

  defineRule('authn.service-account.lookup', {
    needs: ['lab'],
    sabotage: answerStatus(403, { path: /^\/api\/v1\/nodes$/, instead: 401 }),
    async check(context) {
      const { serviceAccounts, withToken, waitUntil, expect } = context;
      const { account, token } = await serviceAccountToken(context);
      expect(await reception(withToken(token)), 'while the account is there').toBe(403);
      await serviceAccounts.delete(account.metadata.name);
      // Servers may remember a token that they have accepted for some seconds.
      await waitUntil(
        'the token goes with its account',
        () => reception(withToken(token)),
        (status) => status === 401,
        { limit: 20_000, interval: 500 },
      );
    },
  }),
];
