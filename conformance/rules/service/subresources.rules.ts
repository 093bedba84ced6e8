import { defineRule } from '../../rule.ts';
import { notFound, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import { allowInNamespace } from '../../verbs/permissions.ts';

export default [
  defineRule('service.subresources.exist', {
    sabotage: ['status', 'approval', 'finalize'].map((sub) => notFound({ path: new RegExp(`/${sub}$`) })),
    async check({ signingRequests, namespaces, namespace, expect }) {
      const { metadata } = await signingRequests.create();
      for (const sub of ['status', 'approval'])
        expect((await signingRequests.get(metadata.name, '', { sub })).status, sub).toBe(200);
      const object = await namespaces.read(await namespace());
      expect((await namespaces.put(object, '', { sub: 'finalize' })).status, 'finalize').toBe(200);
    },
  }),

  defineRule('service.subresources.finer-authorization', {
    needs: ['second-user'],
    sabotage: requestHeader('impersonate-user', undefined),
    async check(context) {
      const { ingresses, as, unique, waitUntil, expect } = context;
      const { metadata } = await ingresses.create();
      const [parent, sub] = [unique('parent'), unique('sub')];
      const rule = (resource: string) => [{ apiGroups: ['networking.k8s.io'], resources: [resource], verbs: ['get'] }];
      await allowInNamespace(context, parent, rule('ingresses'));
      await allowInNamespace(context, sub, rule('ingresses/status'));
      const status =
        (user: string, part = '') =>
        async () =>
          (await as({ name: user }).ingresses.get(metadata.name, '', { sub: part })).status;
      await waitUntil('the right on the resource is in effect', status(parent), (code) => code === 200);
      await waitUntil('the right on the subresource is in effect', status(sub, 'status'), (code) => code === 200);
      expect(await status(parent, 'status')(), 'the subresource with a right on the resource').toBe(403);
      expect(await status(sub)(), 'the resource with a right on the subresource').toBe(403);
    },
  }),

  defineRule('service.subresources.other-representation', {
    sabotage: replaceIn('kind', { with: 'Deployment', path: /\/scale$/ }),
    async check({ deployments, expect }) {
      const { metadata } = await deployments.create({ spec: { replicas: 2 } });
      const answer = await deployments.get(metadata.name, '', { sub: 'scale' });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 2 } });
    },
  }),
];
