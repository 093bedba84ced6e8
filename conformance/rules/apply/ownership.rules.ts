import { defineRule } from '../../rule.ts';
import { answerStatus, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import { owns } from '../../verbs/managed-fields.ts';

const secretPaths = { path: /\/secrets(\/[^/]+)?$/ };
const field = 'metadata.managedFields.*.fieldsV1.f:data';

export default [
  defineRule('apply.ownership.post', {
    sabotage: [removeIn(`${field}.f:a`, secretPaths), replaceIn('metadata.managedFields.*.manager', secretPaths)],
    async check({ secrets, expect }) {
      const { body } = await secrets.post(secrets.sample({ data: { a: 'aaaa', b: 'aaaa' } }), {
        fieldManager: 'creator',
      });
      expect(owns(body, 'creator', 'f:data', 'f:a'), 'data.a').toBe(true);
      expect(owns(body, 'creator', 'f:data', 'f:b'), 'data.b').toBe(true);
    },
  }),

  defineRule('apply.ownership.put', {
    sabotage: [removeIn(`${field}.f:a`, { ...secretPaths, method: 'PUT' })],
    async check({ secrets, expect }) {
      const { body } = await secrets.post(secrets.sample({ data: { a: 'aaaa', b: 'aaaa' } }), {
        fieldManager: 'creator',
      });
      const next = (await secrets.put({ ...body, data: { a: 'bbbb', b: 'aaaa' } }, { fieldManager: 'updater' })).body;
      expect(owns(next, 'updater', 'f:data', 'f:a'), 'what it changed').toBe(true);
      expect(owns(next, 'creator', 'f:data', 'f:a'), 'the one before, of what was changed').toBe(false);
      expect(owns(next, 'creator', 'f:data', 'f:b'), 'the one before, of what was not').toBe(true);
    },
  }),

  defineRule('apply.ownership.patch', {
    sabotage: [removeIn(`${field}.f:a`, { ...secretPaths, method: 'PATCH' })],
    async check({ secrets, expect }) {
      for (const type of ['merge', 'strategic'] as const) {
        const { body } = await secrets.post(secrets.sample({ data: { a: 'aaaa', b: 'aaaa' } }), {
          fieldManager: 'creator',
        });
        const query = { fieldManager: 'patcher' };
        const next = (await secrets.patch(body.metadata.name, { data: { a: 'bbbb' } }, { type, query })).body;
        expect(owns(next, 'patcher', 'f:data', 'f:a'), `what a ${type} patch changed`).toBe(true);
        expect(owns(next, 'patcher', 'f:data', 'f:b'), 'what it did not').toBe(false);
        expect(owns(next, 'creator', 'f:data', 'f:b'), 'the one before, of what was not changed').toBe(true);
      }
    },
  }),

  defineRule('apply.ownership.apply', {
    sabotage: [removeIn(`${field}.f:a`, { ...secretPaths, method: 'PATCH' })],
    async check({ secrets, unique, expect }) {
      const name = unique();
      await secrets.apply(name, { data: { a: 'aaaa' } }, 'first');
      const next = await secrets.apply(name, { data: { a: 'aaaa', b: 'aaaa' } }, 'second');
      expect(owns(next, 'second', 'f:data', 'f:a'), 'a field with the value it had').toBe(true);
      expect(owns(next, 'second', 'f:data', 'f:b'), 'a new field').toBe(true);
    },
  }),

  defineRule('apply.ownership.shared', {
    sabotage: [
      answerStatus(409, { method: 'PATCH', nth: 2 }),
      removeIn(`${field}.f:a`, { method: 'GET', ...secretPaths }),
    ],
    async check({ secrets, unique, expect }) {
      const name = unique();
      await secrets.apply(name, { data: { a: 'aaaa' } }, 'first');
      expect((await secrets.tryApply(name, { data: { a: 'aaaa' } }, 'second')).status).toBe(200);
      const object = await secrets.read(name);
      for (const manager of ['first', 'second']) expect(owns(object, manager, 'f:data', 'f:a'), manager).toBe(true);
    },
  }),

  defineRule('apply.ownership.shared-change-conflicts', {
    sabotage: answerStatus(200, { method: 'PATCH', instead: 409 }),
    async check({ secrets, unique, expect }) {
      const name = unique();
      await secrets.apply(name, { data: { a: 'aaaa' } }, 'first');
      await secrets.apply(name, { data: { a: 'aaaa' } }, 'second');
      for (const manager of ['first', 'second']) {
        const { status } = await secrets.tryApply(name, { data: { a: 'bbbb' } }, manager);
        expect(status, manager).toBe(409);
      }
      expect((await secrets.read(name)).data).toEqual({ a: 'aaaa' });
    },
  }),
];
