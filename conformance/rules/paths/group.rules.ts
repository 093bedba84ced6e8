import { defineRule } from '../../rule.ts';
import { notFound, replaceIn } from '../../sabotage/transforms.ts';

const item = { method: 'GET', path: /^\/apis\/rbac\.authorization\.k8s\.io\/v1\/namespaces\/[^/]+\/roles\/[^/]+$/ };

export default [
  defineRule('paths.group.prefix', {
    sabotage: notFound(item),
    async check({ roles, send, namespace, expect }) {
      const { metadata } = await roles.create();
      const base = '/apis/rbac.authorization.k8s.io/v1';
      const answer = await send('GET', `${base}/namespaces/${await namespace()}/roles/${metadata.name}`);
      expect(answer.status).toBe(200);
      expect(answer.body.metadata.uid).toBe(metadata.uid);
    },
  }),

  defineRule('paths.group.api-version', {
    sabotage: replaceIn('apiVersion', item),
    async check({ roles, expect }) {
      const { metadata } = await roles.create();
      expect((await roles.read(metadata.name)).apiVersion).toBe('rbac.authorization.k8s.io/v1');
    },
  }),
];
