import { defineRule } from '../rule.ts';
import { answerStatus, replaceIn } from '../sabotage/transforms.ts';

export default [
  // Role, Ingress and Event go through no states; all there is is the load balancer in the status of an Ingress.
  defineRule('state.none', {
    sabotage: [
      answerStatus(200, { method: 'GET', path: /\/(roles|events)\/[^/]+\/status$/ }),
      replaceIn('status.phase', { method: 'POST', path: /\/ingresses$/, with: 'Active' }),
    ],
    async check({ roles, events, ingresses, namespace, expect }) {
      const role = await roles.create();
      const event = await events.create({ regarding: { namespace: await namespace() } });
      expect((await roles.get(role.metadata.name, '', { sub: 'status' })).status, 'Role').toBe(404);
      expect((await events.get(event.metadata.name, '', { sub: 'status' })).status, 'Event').toBe(404);
      const ingress = await ingresses.create();
      expect(Object.keys(ingress.status ?? {}), 'what is in the status of an Ingress').toEqual(['loadBalancer']);
    },
  }),
];
