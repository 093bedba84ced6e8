import { allowInNamespace } from '../../checks/access/permissions.ts';
import { unlessBehind } from '../../checks/life/leaving-namespaces.ts';
import { defineRule } from '../../rule.ts';
import { answerWith, loseWrite, redirectPath, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { groupPath } from '../../verbs/kinds.ts';
import { nameOf } from '../../verbs/states.ts';
import { generalKinds } from '../../verbs/subjects.ts';
import { onceAllowed } from '../../verbs/until-status.ts';

/** A ClusterRole that is bound in a namespace gives what it grants there, and nothing of what is in none. */
async function allowsWithin(context: RuleContext, user: string): Promise<void> {
  const { clusterRoles, roleBindings, secrets, as, waitUntil, expect } = context;
  const rules = [{ apiGroups: ['*'], resources: ['secrets', 'clusterroles'], verbs: ['*'] }];
  const name = nameOf(await clusterRoles.create({ rules }));
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  await roleBindings.create({ subjects: [{ kind: 'User', name: user }], roleRef });
  const { secrets: within, clusterRoles: beyond } = as({ name: user });
  const read = async () => (await within.get(nameOf(await secrets.create()))).status;
  await waitUntil('what a ClusterRole grants within the namespace is allowed', read, (status) => status === 200);
  const answers = {
    get: await beyond.get(name),
    list: await beyond.getAll(),
    patch: await beyond.patch(name, {}),
    create: await beyond.post(beyond.sample({ rules: [] })),
    delete: await beyond.delete(name, { query: { dryRun: 'All' } }),
  };
  for (const [verb, { status }] of Object.entries(answers)) expect(status, `${verb} of what is in none`).toBe(403);
}

export default [
  // A type has one scope; addresses that would give it the other one lead nowhere.
  defineRule('paths.scope.one-of-two', {
    matrix: { kind: generalKinds },
    sabotage: [
      answerWith(200, { kind: 'Role' }, { method: 'GET', path: /\/v1\/roles\/[^/]+$/ }),
      answerWith(
        200,
        { kind: 'ClusterRoleList', items: [] },
        { method: 'GET', path: /\/namespaces\/[^/]+\/clusterroles$/ },
      ),
      redirectPath(/\/namespaces\/[^/]+\/clusterroles$/, '/clusterroles', { method: 'GET' }),
      replaceIn('resources.*.namespaced', { path: /^\/apis\/[^/]*touchstone\.example\/[^/]+$/, with: true }),
    ],
    async check({ objects, send, namespace, waitUntil, expect }) {
      const { at } = objects;
      const look = async (): Promise<Json> =>
        (await send('GET', groupPath(at))).body?.resources?.find(({ name }: Json) => name === at.resource);
      // A server may tell of a type a moment after it serves it.
      const told = await waitUntil(`discovery tells of ${at.resource}`, look, (found) => found !== undefined);
      expect(told, 'as discovery has it').toMatchObject({ kind: at.kind, namespaced: at.namespaced });
      const object = await objects.create();
      expect((await objects.get(nameOf(object))).status, 'where it is').toBe(200);
      const elsewhere = at.namespaced
        ? objects.everywhere
        : `${groupPath(at)}/namespaces/${await namespace()}/${at.resource}`;
      expect((await send('GET', `${elsewhere}/${nameOf(object)}`)).status, 'an object in the other scope').toBe(404);
      const refused = await send('POST', elsewhere, { body: await objects.draft(), query: { dryRun: 'All' } });
      expect([404, 405], 'a create in the other scope').toContain(refused.status);
      if (!at.namespaced) expect((await send('GET', elsewhere)).status, 'a list in a namespace').toBe(404);
    },
  }),

  // When a namespace is deleted, what is inside goes with it.
  defineRule('paths.scope.deleted-with-namespace', {
    needs: ['controllers'],
    sabotage: loseWrite({ method: 'DELETE', path: /^\/api\/v1\/namespaces\/[^/]+$/ }),
    async check(context) {
      const { configMaps, namespaces, namespace, waitUntil, patience } = context;
      const { metadata } = await configMaps.create();
      const look = async () => (await configMaps.get(metadata.name)).status;
      const goes = async (isOver: () => boolean) => {
        await namespaces.delete(await namespace());
        const wait = { limit: patience * 10, isOver };
        await waitUntil('the object of a deleted namespace is gone', look, (status) => status === 404, wait);
      };
      await unlessBehind(context, goes, async () => (await look()) === 200);
    },
  }),

  // Permission inside one namespace is worth nothing in the next.
  defineRule('paths.scope.authorized-by-namespace', {
    needs: ['second-user', 'rights'],
    sabotage: [
      requestHeader('impersonate-user', undefined),
      requestHeader('impersonate-user', 'nobody-at-all', { path: /\/namespaces\/[^/]+$/ }),
      requestHeader('impersonate-user', undefined, { path: /\/namespaces(\/[^/]+)?$/ }),
      requestHeader('impersonate-user', undefined, { path: /\/clusterroles\/[^/]+$/ }),
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
      await allowsWithin(context, name);
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
          const own = await namespace();
          const { status } = await onceAllowed('the namespace', () => theirs.namespaces.get(own, '', { sub }));
          expect(status, `the namespace ${sub}`).toBe(200);
          expect((await theirs.namespaces.get(other, '', { sub })).status, `another namespace ${sub}`).toBe(403);
        }
      expect((await theirs.namespaces.getAll()).status, 'all namespaces').toBe(403);
    },
  }),
];
