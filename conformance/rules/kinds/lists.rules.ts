import { defineRule } from '../../rule.ts';
import { removeIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { named } from '../../verbs/subjects.ts';

/** The kinds of the second document. */
const resources = [
  'certificatesigningrequests',
  'roles',
  'endpointslices',
  'ingresses',
  'namespaces',
  'jobs',
  'events',
] as const;

export default [
  // Each of the seven list kinds has `items`, all of its own kind.
  defineRule('kinds.lists.items', {
    sabotage: resources.map((resource) => removeIn('items', { method: 'GET', path: new RegExp(`/${resource}$`) })),
    matrix: { kind: named(...resources) },
    async check({ objects, expect }) {
      const made = (await objects.createMany(2)).map(({ metadata }) => metadata.uid);
      const { status, body } = await objects.getAll();
      expect(status).toBe(200);
      expect(body.kind).toBe(`${objects.at.kind}List`);
      expect(Array.isArray(body.items), `items of ${body.kind}`).toBe(true);
      expect(body.items.map(({ metadata }: Json) => metadata.uid)).toEqual(made);
      for (const item of body.items) expect([undefined, objects.at.kind]).toContain(item.kind);
      const none = await objects.getAll({ labelSelector: 'touchstone/none' });
      expect(none.body.items, 'of nothing').toEqual([]);
    },
  }),
];
