import { defineRule } from '../../rule.ts';
import { answerStatus, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';

const reads = { method: 'GET', path: /^\/api\/v1\/namespaces\/[^/]+$/ };

export default [
  // `status.phase` tells where in its life a Namespace is.
  defineRule('namespace.status.phase', {
    sabotage: [
      removeIn('status.phase', reads),
      replaceIn('status.phase', { ...reads, with: 7 }),
      answerStatus(200, { method: 'PATCH', path: /\/status$/, instead: 422 }),
    ],
    async check({ namespaces, namespace, expect }) {
      const { status } = (await namespaces.get(await namespace())).body;
      expect(status.phase).toBeTypeOf('string');
      expect(status.phase).not.toBe('');
      for (const phase of ['Terminating', 'Other']) {
        const told = await namespaces.patch(await namespace(), { status: { phase } }, { sub: 'status' });
        expect(told.status, `${phase}, of one that stays`).toBe(422);
      }
      expect((await namespaces.read(await namespace())).status.phase, 'after that').toBe(status.phase);
    },
  }),

  // Conditions are merged by their type.
  defineRule('namespace.status.conditions.merge', {
    sabotage: replaceIn('status.conditions', reads),
    async check({ namespaces, namespace, expect }) {
      const name = await namespace();
      for (const type of ['One', 'Two']) {
        const patch = { status: { conditions: [{ type, status: 'True' }] } };
        expect((await namespaces.patch(name, patch, { type: 'strategic', sub: 'status' })).status).toBe(200);
      }
      const { conditions } = (await namespaces.get(name)).body.status;
      expect(conditions.map((one: Json) => one.type).sort()).toEqual(['One', 'Two']);
    },
  }),
];
