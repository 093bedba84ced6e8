import { defineRule } from '../../rule.ts';
import { changeAnswer, removeIn } from '../../sabotage/transforms.ts';
import { customType } from '../../verbs/custom-types.ts';

export default [
  defineRule('fields.unknown.dropped', {
    sabotage: changeAnswer('keeps unknown fields', (body) => ({ ...body, shape: 'round' }), {
      method: 'GET',
      path: /\/secrets\/[^/]+$/,
    }),
    async check({ secrets, expect }) {
      const { status, body } = await secrets.post({ ...secrets.sample(), shape: 'round', immutable: false });
      expect(status).toBe(201);
      const stored = await secrets.read(body.metadata.name);
      expect(stored, 'a field the schema does not know').not.toHaveProperty('shape');
      expect(stored.immutable, 'a field that it knows').toBe(false);
    },
  }),

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
