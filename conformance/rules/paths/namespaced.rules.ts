import { defineRule } from '../../rule.ts';
import { notFound, redirectPath, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';

const namespacesOf = (list: Json): string[] => list.items.map((item: Json) => item.metadata.namespace).sort();

export default [
  defineRule('paths.namespaced.all-namespaces', {
    sabotage: replaceIn('items', { method: 'GET', path: /\/v1\/roles$/ }),
    async check({ roles, send, namespace, extraNamespace, unique, expect }) {
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

  defineRule('paths.namespaced.collection', {
    sabotage: redirectPath(/\/namespaces\/[^/]+\/roles$/, '/roles', { method: 'GET' }),
    async check({ roles, namespace, extraNamespace, expect }) {
      await roles.create();
      await roles.in(await extraNamespace()).create();
      const answer = await roles.getAll();
      expect(answer.status).toBe(200);
      expect(namespacesOf(answer.body)).toEqual([await namespace()]);
    },
  }),

  defineRule('paths.namespaced.item', {
    sabotage: notFound({ method: 'GET', path: /\/namespaces\/[^/]+\/roles\/[^/]+$/ }),
    async check({ roles, expect }) {
      const { metadata } = await roles.create();
      const answer = await roles.get(metadata.name);
      expect(answer.status).toBe(200);
      expect(answer.body.metadata).toMatchObject({ name: metadata.name, namespace: metadata.namespace });
    },
  }),
];
