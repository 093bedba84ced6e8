import { defineRule } from '../../rule.ts';
import { answerWith, loseWrite, redirectPath, requestHeader } from '../../sabotage/transforms.ts';
import { Skipped } from '../../verbs/breach.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { allowInNamespace } from '../../verbs/permissions.ts';
import { nameOf } from '../../verbs/states.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';

/** The namespaces that are on their way out. */
const leaving = async ({ namespaces }: RuleContext): Promise<readonly string[]> =>
  (await namespaces.list()).items.filter(({ metadata }: Json) => metadata.deletionTimestamp).map(nameOf);

export default [
  // A type has one scope; addresses that would give it the other one lead nowhere.
  defineRule('paths.scope.one-of-two', {
    sabotage: [
      answerWith(200, { kind: 'Role' }, { method: 'GET', path: /\/v1\/roles\/[^/]+$/ }),
      answerWith(
        200,
        { kind: 'ClusterRoleList', items: [] },
        { method: 'GET', path: /\/namespaces\/[^/]+\/clusterroles$/ },
      ),
      redirectPath(/\/namespaces\/[^/]+\/clusterroles$/, '/clusterroles', { method: 'GET' }),
    ],
    async check({ roles, clusterRoles, send, namespace, expect }) {
      const role = await roles.create();
      await clusterRoles.create();
      expect((await roles.get(role.metadata.name)).status, 'namespaced item in its namespace').toBe(200);
      expect(
        (await send('GET', `${rbac}/roles/${role.metadata.name}`)).status,
        'namespaced item without namespace',
      ).toBe(404);
      const inside = `${rbac}/namespaces/${await namespace()}/clusterroles`;
      expect((await send('GET', inside)).status, 'cluster-scoped kind in a namespace').toBe(404);
      const refused = await send('POST', `${rbac}/roles`, { body: roles.sample() });
      expect([404, 405], 'create of a namespaced kind without namespace').toContain(refused.status);
    },
  }),

  // When a namespace is deleted, what is inside goes with it.
  defineRule('paths.scope.deleted-with-namespace', {
    needs: ['controllers'],
    sabotage: loseWrite({ method: 'DELETE', path: /^\/api\/v1\/namespaces\/[^/]+$/ }),
    async check(context) {
      const { configMaps, namespaces, namespace, waitUntil, patience } = context;
      const { metadata } = await configMaps.create();
      const before = await leaving(context);
      await namespaces.delete(await namespace());
      const look = async () => (await configMaps.get(metadata.name)).status;
      const gone = waitUntil('the object of a deleted namespace is gone', look, (status) => status === 404, {
        limit: patience * 10,
      });
      await gone.catch(async (error: unknown) => {
        const after = await leaving(context);
        const still = before.filter((name) => after.includes(name)).length;
        // It works, only not fast enough for all that are deleted in a run.
        if (still > 0 && still < before.length)
          throw new Skipped(`the namespace controller is ${still} namespaces behind`);
        throw error;
      });
    },
  }),

  // Permission inside one namespace is worth nothing in the next.
  defineRule('paths.scope.authorized-by-namespace', {
    needs: ['second-user'],
    sabotage: [
      requestHeader('impersonate-user', undefined),
      requestHeader('impersonate-user', 'nobody-at-all', { path: /\/namespaces\/[^/]+$/ }),
      requestHeader('impersonate-user', undefined, { path: /\/namespaces(\/[^/]+)?$/ }),
    ],
    async check(context) {
      const { configMaps, namespace, extraNamespace, unique, as, waitUntil, expect } = context;
      const name = unique('reader');
      const other = await extraNamespace();
      await configMaps.create();
      await allowInNamespace(context, name, [
        { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] },
        { apiGroups: [''], resources: ['namespaces', 'namespaces/status'], verbs: ['get', 'list'] },
      ]);
      const theirs = as({ name });
      const mine = theirs.configMaps;
      await waitUntil(
        'the right is in effect',
        async () => (await mine.getAll()).status,
        (status) => status === 200,
      );
      expect((await mine.in(other).getAll()).status, 'in another namespace').toBe(403);
      // A namespace counts as within itself.
      for (const sub of ['', 'status'])
        for (const _ of ['once', 'once more']) {
          expect((await theirs.namespaces.get(await namespace(), '', { sub })).status, `the namespace ${sub}`).toBe(
            200,
          );
          expect((await theirs.namespaces.get(other, '', { sub })).status, `another namespace ${sub}`).toBe(403);
        }
      expect((await theirs.namespaces.getAll()).status, 'all namespaces').toBe(403);
    },
  }),
];
