import { defineRule } from '../../rule.ts';
import { answerStatus, forceQuery, requestHeader } from '../../sabotage/transforms.ts';
import { entryOf } from '../../verbs/managed-fields.ts';

const applies = { method: 'PATCH', header: { 'content-type': /apply/ } };

export default [
  defineRule('apply.field-manager.required', {
    sabotage: [forceQuery('fieldManager', 'somebody', applies), answerStatus(201, { ...applies, instead: 422 })],
    async check({ secrets, unique, expect }) {
      const name = unique();
      const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name } };
      for (const query of ['', 'fieldManager=']) {
        const { status } = await secrets.patch(name, body, { type: 'apply', query });
        expect(status, query || 'none').toBeGreaterThanOrEqual(400);
        expect(status, query || 'none').toBeLessThan(500);
      }
      expect((await secrets.get(name)).status, 'nothing is stored').toBe(404);
      expect((await secrets.tryApply(name, {}, 'applier')).status, 'with a manager').toBe(201);
    },
  }),

  defineRule('apply.field-manager.optional-elsewhere', {
    sabotage: ['POST', 'PUT', 'PATCH'].map((method) =>
      answerStatus(422, { method, path: /\/secrets/, query: { fieldManager: false } }),
    ),
    async check({ secrets, expect }) {
      const body = secrets.sample();
      const { name } = body.metadata;
      expect((await secrets.post(body)).status, 'create').toBe(201);
      expect((await secrets.put(body)).status, 'update').toBe(200);
      expect((await secrets.patch(name, { data: { a: 'aaaa' } })).status, 'merge patch').toBe(200);
      expect(
        (await secrets.patch(name, { data: { b: 'aaaa' } }, { type: 'strategic' })).status,
        'strategic merge patch',
      ).toBe(200);
    },
  }),

  defineRule('apply.field-manager.default', {
    sabotage: [
      requestHeader('user-agent', 'other/1', { method: 'POST' }),
      forceQuery('fieldManager', 'other', { method: 'POST', query: { fieldManager: false } }),
    ],
    async check({ secrets, expect }) {
      const headers = { 'user-agent': 'mytool/v1.2 (linux)' };
      const { body } = await secrets.post(secrets.sample({ data: { a: 'aaaa' } }), '', { headers });
      expect(entryOf(body, 'mytool')).toMatchObject({ operation: 'Update' });
      const named = await secrets.post(secrets.sample({ data: { a: 'aaaa' } }), { fieldManager: 'given' }, { headers });
      expect(entryOf(named.body, 'given'), 'a manager that is given').toBeDefined();
    },
  }),
];
