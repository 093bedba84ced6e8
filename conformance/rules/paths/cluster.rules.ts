import { keepsTypesApart } from '../../checks/custom/similar-types.ts';
import { defineRule } from '../../rule.ts';
import { notFound, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';

const base = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

export default [
  // A cluster-scoped collection sits directly below its group and version.
  defineRule('paths.cluster.collection', {
    sabotage: replaceIn('items', { with: [], method: 'GET', path: /\/clusterroles$/ }),
    async check(context) {
      const { clusterRoles, send, expect } = context;
      await keepsTypesApart(context, 'Cluster');
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
      notFound({ method: 'GET', path: /\/clusterroles\/[^/]*%[^/]+$/ }),
    ],
    async check({ clusterRoles, send, unique, expect }) {
      // Paths are parts of an address, in which any letter may be escaped.
      for (const name of [unique(), `touchstone:${unique()}`]) {
        const { metadata } = await clusterRoles.create({ metadata: { name } });
        const escaped = `%${name.charCodeAt(0).toString(16)}${name.slice(1).replaceAll(':', '%3A')}`;
        for (const written of [name, escaped]) {
          const answer = await send('GET', `${base}/${written}`);
          expect(answer.status, written).toBe(200);
          expect(answer.body.metadata.uid, written).toBe(metadata.uid);
        }
      }
    },
  }),
];
