import { defineRule } from '../../rule.ts';
import { removeIn } from '../../sabotage/transforms.ts';

export default [
  defineRule('kinds.lists.items', {
    sabotage: [
      'certificatesigningrequests',
      'roles',
      'endpointslices',
      'ingresses',
      'namespaces',
      'jobs',
      'events',
    ].map((resource) => removeIn('items', { method: 'GET', path: new RegExp(`/${resource}$`) })),
    async check({ signingRequests, roles, endpointSlices, ingresses, namespaces, jobs, events, namespace, expect }) {
      await namespace();
      for (const kind of [signingRequests, roles, endpointSlices, ingresses, namespaces, jobs, events]) {
        const { status, body } = await kind.getAll();
        expect(status, kind.at.kind).toBe(200);
        expect(body.kind).toBe(`${kind.at.kind}List`);
        expect(Array.isArray(body.items), `items of ${body.kind}`).toBe(true);
      }
    },
  }),
];
