import { defineRule } from '../../rule.ts';
import { answerStatus, forceQuery, ignoreQuery, loseWrite, replaceIn } from '../../sabotage/transforms.ts';
import { owns } from '../../verbs/managed-fields.ts';

const patches = { method: 'PATCH', path: /\/secrets\// };
const a = (value: string) => ({ data: { a: value } });

export default [
  defineRule('apply.conflict.only-apply', {
    sabotage: [answerStatus(200, { ...patches, instead: 409 }), forceQuery('force', 'true', { ...patches, nth: 2 })],
    async check({ secrets, unique, expect }) {
      const name = unique();
      const before = await secrets.apply(name, a('aaaa'), 'first');
      expect((await secrets.tryApply(name, { data: { a: 'bbbb', b: 'bbbb' } }, 'second')).status).toBe(409);
      const after = await secrets.read(name);
      expect(after.data, 'the object is as it was').toEqual({ a: 'aaaa' });
      expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    },
  }),

  defineRule('apply.conflict.update-takes-over', {
    sabotage: [
      answerStatus(409, { method: 'PUT' }),
      replaceIn('metadata.managedFields.*.manager', { with: 'first', method: 'PUT' }),
    ],
    async check({ secrets, unique, expect }) {
      const object = await secrets.apply(unique(), a('aaaa'), 'first');
      const put = await secrets.put({ ...object, ...a('bbbb') }, { fieldManager: 'second' });
      expect(put.status, 'update').toBe(200);
      expect(put.body.data).toEqual({ a: 'bbbb' });
      expect(owns(put.body, 'second', 'f:data', 'f:a'), 'who updated it').toBe(true);
      expect(owns(put.body, 'first', 'f:data', 'f:a'), 'who owned it before').toBe(false);
      const patched = await secrets.patch(object.metadata.name, a('cccc'), { query: { fieldManager: 'third' } });
      expect(patched.status, 'patch').toBe(200);
      expect(owns(patched.body, 'third', 'f:data', 'f:a'), 'who patched it').toBe(true);
    },
  }),

  defineRule('apply.conflict.force', {
    sabotage: [ignoreQuery('force', patches), loseWrite({ ...patches, query: { force: true } })],
    async check({ secrets, unique, expect }) {
      const name = unique();
      await secrets.apply(name, a('aaaa'), 'first');
      expect((await secrets.tryApply(name, a('bbbb'), 'second', { force: 'false' })).status, 'force=false').toBe(409);
      expect((await secrets.tryApply(name, a('bbbb'), 'second', { force: 'true' })).status, 'force=true').toBe(200);
      expect((await secrets.read(name)).data).toEqual({ a: 'bbbb' });
    },
  }),

  defineRule('apply.conflict.force-removes-others', {
    sabotage: [
      replaceIn('metadata.managedFields.*.fieldsV1', { ...patches, with: { 'f:data': { 'f:a': {}, 'f:b': {} } } }),
    ],
    async check({ secrets, unique, expect }) {
      const name = unique();
      await secrets.apply(name, { data: { a: 'aaaa', b: 'aaaa' } }, 'first');
      const object = (await secrets.tryApply(name, a('bbbb'), 'second', { force: 'true' })).body;
      expect(owns(object, 'second', 'f:data', 'f:a'), 'the one who forces').toBe(true);
      expect(owns(object, 'first', 'f:data', 'f:a'), 'the other, of what was forced').toBe(false);
      expect(owns(object, 'first', 'f:data', 'f:b'), 'the other, of what was not').toBe(true);
    },
  }),

  defineRule('apply.conflict.give-up', {
    sabotage: [answerStatus(409, { ...patches, nth: 3 }), replaceIn('data', { ...patches, with: { b: 'aaaa' } })],
    async check({ secrets, unique, expect }) {
      const name = unique();
      await secrets.apply(name, a('aaaa'), 'first');
      expect(
        (await secrets.tryApply(name, { data: { a: 'bbbb', b: 'aaaa' } }, 'second')).status,
        'with the field',
      ).toBe(409);
      const { status, body } = await secrets.tryApply(name, { data: { b: 'aaaa' } }, 'second');
      expect(status, 'without the field').toBe(200);
      expect(body.data).toEqual({ a: 'aaaa', b: 'aaaa' });
      expect(owns(body, 'second', 'f:data', 'f:a')).toBe(false);
      expect(owns(body, 'first', 'f:data', 'f:a')).toBe(true);
    },
  }),

  defineRule('apply.conflict.share', {
    sabotage: answerStatus(409, { ...patches, nth: 3 }),
    async check({ secrets, unique, expect }) {
      const name = unique();
      await secrets.apply(name, a('aaaa'), 'first');
      expect((await secrets.tryApply(name, a('bbbb'), 'second')).status, 'another value').toBe(409);
      const { status, body } = await secrets.tryApply(name, a('aaaa'), 'second');
      expect(status, 'the live value').toBe(200);
      for (const manager of ['first', 'second']) expect(owns(body, manager, 'f:data', 'f:a'), manager).toBe(true);
    },
  }),
];
