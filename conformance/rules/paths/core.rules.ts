import { defineRule } from '../../rule.ts';
import { notFound, replaceIn } from '../../sabotage/transforms.ts';

const item = { method: 'GET', path: /^\/api\/v1\/namespaces\/[^/]+\/configmaps\/[^/]+$/ };

export default [
  // Everything of the core group lives below `/api/v1/`.
  defineRule('paths.core.prefix', {
    sabotage: [notFound(item), replaceIn('metadata.uid', item)],
    async check({ configMaps, send, namespace, expect }) {
      const { metadata } = await configMaps.create();
      const answer = await send('GET', `/api/v1/namespaces/${await namespace()}/configmaps/${metadata.name}`);
      expect(answer.status).toBe(200);
      expect(answer.body.metadata.uid).toBe(metadata.uid);
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
