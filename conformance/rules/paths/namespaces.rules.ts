import { defineRule } from '../../rule.ts';
import { notFound, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';

export default [
  // A namespace is not itself inside a namespace.
  defineRule('paths.namespaces.cluster-scoped', {
    sabotage: [
      replaceIn('resources', { with: [{ name: 'namespaces', namespaced: true }], path: /^\/api\/v1$/ }),
      replaceIn('metadata.namespace', { with: 'outer', method: 'GET', path: /^\/api\/v1\/namespaces\/[^/]+$/ }),
    ],
    async check({ namespaces, namespace, send, expect }) {
      const { metadata } = await namespaces.read(await namespace());
      expect(metadata.namespace).toBeUndefined();
      const { body } = await send('GET', '/api/v1');
      const resource = body?.resources?.find((one: Json) => one.name === 'namespaces');
      expect(resource?.namespaced).toBe(false);
    },
  }),

  // All namespaces are listed at `/api/v1/namespaces`.
  defineRule('paths.namespaces.collection', {
    sabotage: replaceIn('items', { with: [], method: 'GET', path: /^\/api\/v1\/namespaces$/ }),
    async check({ namespace, send, expect }) {
      const name = await namespace();
      const answer = await send('GET', '/api/v1/namespaces');
      expect(answer.status).toBe(200);
      expect(answer.body.items.map((one: Json) => one.metadata.name)).toContain(name);
    },
  }),

  // A single namespace is addressed as `/api/v1/namespaces/{name}`.
  defineRule('paths.namespaces.item', {
    sabotage: [
      notFound({ method: 'GET', path: /^\/api\/v1\/namespaces\/[^/]+$/ }),
      replaceIn('metadata.name', { method: 'GET', path: /^\/api\/v1\/namespaces\/[^/]+$/ }),
    ],
    async check({ namespace, send, expect }) {
      const name = await namespace();
      const answer = await send('GET', `/api/v1/namespaces/${name}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ kind: 'Namespace', metadata: { name } });
    },
  }),
];
