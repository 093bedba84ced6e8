import { defineRule } from '../../rule.ts';
import { notFound, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';

const base = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

export default [
  // A cluster-scoped collection sits directly below its group and version.
  defineRule('paths.cluster.collection', {
    sabotage: replaceIn('items', { with: [], method: 'GET', path: /\/clusterroles$/ }),
    async check({ clusterRoles, send, expect }) {
      const { metadata } = await clusterRoles.create();
      const answer = await send('GET', base);
      expect(answer.status).toBe(200);
      expect(answer.body.items.map((role: Json) => role.metadata.name)).toContain(metadata.name);
    },
  }),

  // One cluster-scoped object is its collection's path plus its name.
  defineRule('paths.cluster.item', {
    sabotage: [
      notFound({ method: 'GET', path: /\/clusterroles\/[^/]+$/ }),
      replaceIn('metadata.uid', { method: 'GET', path: /\/clusterroles\/[^/]+$/ }),
    ],
    async check({ clusterRoles, send, expect }) {
      const { metadata } = await clusterRoles.create();
      const answer = await send('GET', `${base}/${metadata.name}`);
      expect(answer.status).toBe(200);
      expect(answer.body.metadata.uid).toBe(metadata.uid);
    },
  }),
];
