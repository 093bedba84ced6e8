import { defineRule } from '../../rule.ts';
import { changeAnswer, removeIn } from '../../sabotage/transforms.ts';
import { customType } from '../../verbs/custom-types.ts';
import { merged } from '../../verbs/merged.ts';
import { nameOf } from '../../verbs/states.ts';
import { generalKinds } from '../../verbs/subjects.ts';
import { unversioned } from '../../verbs/writes.ts';

export default [
  // What the schema does not know is not stored.
  defineRule('fields.unknown.dropped', {
    sabotage: changeAnswer('keeps unknown fields', (body) => ({ ...body, shape: 'round' }), {
      method: 'GET',
      path: /\/secrets\/[^/]+$/,
    }),
    matrix: { kind: generalKinds },
    async check({ objects, expect }, { kind }) {
      const unknown = { shape: 'round', metadata: { shape: 'round' } };
      const { status, body } = await objects.post(await objects.draft(merged(unknown, kind.edges)));
      expect(status, body?.message).toBe(201);
      const name = nameOf(body);
      const untouched = async (what: string) => {
        const stored = await objects.read(name);
        expect(stored, `a field the schema does not know, after ${what}`).not.toHaveProperty('shape');
        expect(stored.metadata, `one of metadata, after ${what}`).not.toHaveProperty('shape');
        expect(stored, `the fields that it knows, after ${what}`).toMatchObject(kind.edges);
      };
      await untouched('create');
      await objects.put(unversioned(kind, merged(await objects.read(name), unknown)));
      await untouched('update');
      await objects.patch(name, unknown);
      await untouched('patch');
      for (const item of (await objects.viewed('labels').list()).items)
        expect(item, 'in a list').not.toHaveProperty('shape');
    },
  }),

  // A custom type may keep what its schema does not know by saying `x-kubernetes-preserve-unknown-fields`.
  defineRule('fields.unknown.preserved', {
    needs: ['crd'],
    sabotage: removeIn('spec.shape', { path: /touchstone\.example/ }),
    async check(context) {
      const { expect } = context;
      const keeping = await customType(context, {
        spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      });
      const { status, body } = await keeping.post(keeping.sample({ spec: { shape: 'round' } }));
      expect(status).toBe(201);
      expect((await keeping.read(body.metadata.name)).spec).toEqual({ shape: 'round' });
    },
  }),
];
