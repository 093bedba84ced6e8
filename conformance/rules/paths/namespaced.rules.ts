import { keepsTypesApart } from '../../checks/custom/similar-types.ts';
import { defineRule } from '../../rule.ts';
import { notFound, redirectPath, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';
import { named } from '../../verbs/subjects.ts';

const namespacesOf = (list: Json): string[] => list.items.map((item: Json) => item.metadata.namespace).sort();

export default [
  // Leaving the namespace out of a collection's path lists the objects of every namespace.
  defineRule('paths.namespaced.all-namespaces', {
    sabotage: replaceIn('items', { method: 'GET', path: /\/v1\/roles$/ }),
    async check(context) {
      const { roles, send, namespace, extraNamespace, unique, expect } = context;
      await keepsTypesApart(context, 'Namespaced');
      const labels = { 'touchstone/test': unique() };
      const other = await extraNamespace();
      await roles.create({ metadata: { labels } });
      await roles.in(other).create({ metadata: { labels } });
      const query = { labelSelector: `touchstone/test=${labels['touchstone/test']}` };
      const answer = await send('GET', roles.everywhere, { query });
      expect(answer.status).toBe(200);
      expect(namespacesOf(answer.body)).toEqual([await namespace(), other].sort());
    },
  }),

  // A collection path with a namespace lists that namespace and no other.
  defineRule('paths.namespaced.collection', {
    matrix: { kind: named('secrets', 'roles', 'widgets') },
    sabotage: [
      redirectPath(/\/namespaces\/[^/]+\/roles$/, '/roles', { method: 'GET' }),
      redirectPath(/\/namespaces\/[^/]+\/secrets$/, '/secrets', { method: 'GET', query: { watch: true } }),
    ],
    async check({ objects, namespace, extraNamespace, unique, later, expect }) {
      const home = await namespace();
      // Also one whose name begins with that of the other.
      for (const place of [await extraNamespace(), await extraNamespace({}, `${home}-${unique('more')}`)]) {
        const first = await objects.create();
        const elsewhere = objects.in(place);
        const watch = await objects.watch({ resourceVersion: versionOf(first) });
        const other = await elsewhere.create();
        later(() => elsewhere.delete(nameOf(other)));
        const answer = await objects.getAll();
        expect(answer.status).toBe(200);
        expect(new Set(namespacesOf(answer.body)), 'whose objects are listed').toEqual(new Set([home]));
        expect(namespacesOf(await elsewhere.list()), 'in the other').toEqual([place]);
        const next = await objects.create();
        expect(nameOf((await watch.next('the object of the namespace')).object), 'whose are told of').toBe(
          nameOf(next),
        );
        await objects.deleteAll();
        expect((await elsewhere.list()).items, 'of the other, when the collection is deleted').toHaveLength(1);
      }
    },
  }),

  // One namespaced object is found below `namespaces/{namespace}/{resource_type}` by its name.
  defineRule('paths.namespaced.item', {
    sabotage: [
      notFound({ method: 'GET', path: /\/namespaces\/[^/]+\/roles\/[^/]+$/ }),
      replaceIn('metadata.namespace', { method: 'GET', path: /\/namespaces\/[^/]+\/roles\/[^/]+$/ }),
    ],
    async check({ roles, expect }) {
      const { metadata } = await roles.create();
      const answer = await roles.get(metadata.name);
      expect(answer.status).toBe(200);
      expect(answer.body.metadata).toMatchObject({ name: metadata.name, namespace: metadata.namespace });
    },
  }),
];
