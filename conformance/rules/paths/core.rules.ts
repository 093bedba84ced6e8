import { defineRule } from '../../rule.ts';
import { notFound, replaceIn } from '../../sabotage/transforms.ts';

const item = { method: 'GET', path: /^\/api\/v1\/namespaces\/[^/]+\/configmaps\/[^/]+$/ };

export default [
  // Everything of the core group lives below `/api/v1/`.
  defineRule('paths.core.prefix', {
    sabotage: [
      notFound(item),
      replaceIn('metadata.uid', item),
      notFound({ method: 'GET', path: /\/configmaps\/[^/]+\/$/ }),
      notFound({ method: 'GET', path: /\/configmaps\/$/ }),
    ],
    async check({ configMaps, send, namespace, expect }) {
      const { metadata } = await configMaps.create();
      const collection = `/api/v1/namespaces/${await namespace()}/configmaps`;
      // With a slash behind them they are the same paths.
      for (const path of [`${collection}/${metadata.name}`, `${collection}/${metadata.name}/`]) {
        const answer = await send('GET', path);
        expect(answer.status, path).toBe(200);
        expect(answer.body.metadata.uid, path).toBe(metadata.uid);
      }
      const list = await send('GET', `${collection}/`);
      expect([list.status, list.body?.kind], 'a collection with a slash behind it').toEqual([200, 'ConfigMapList']);
    },
  }),

  // The `apiVersion` of core objects is plain `v1`.
  defineRule('paths.core.api-version', {
    sabotage: replaceIn('apiVersion', item),
    async check({ configMaps, expect }) {
      const { metadata } = await configMaps.create();
      expect((await configMaps.read(metadata.name)).apiVersion).toBe('v1');
    },
  }),
];
