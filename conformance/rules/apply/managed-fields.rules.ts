import { defineRule } from '../../rule.ts';
import { answerStatus, changeAnswer, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import { entryOf, ownsField } from '../../verbs/managed-fields.ts';
import { nameOf } from '../../verbs/states.ts';
import { generalKinds } from '../../verbs/subjects.ts';
import { changingWrites, fits } from '../../verbs/writes.ts';

const secretPaths = { path: /\/secrets(\/[^/]+)?$/ };
const data = (value: string) => ({ data: { a: value } });

export default [
  defineRule('apply.managed-fields.entry', {
    sabotage: ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1'].map((member) =>
      removeIn(`metadata.managedFields.*.${member}`, secretPaths),
    ),
    async check({ secrets, unique, expect }) {
      const object = await secrets.apply(unique(), data('aaaa'), 'applier');
      expect(object.metadata.managedFields).toHaveLength(1);
      const [entry] = object.metadata.managedFields;
      expect(entry).toMatchObject({ manager: 'applier', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' });
      expect(entry.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(entry.fieldsV1).toEqual({ 'f:data': { 'f:a': {} } });
    },
  }),

  defineRule('apply.managed-fields.operation-apply', {
    sabotage: replaceIn('metadata.managedFields.*.operation', { ...secretPaths, with: 'Update' }),
    async check({ secrets, unique, expect }) {
      const object = await secrets.apply(unique(), data('aaaa'), 'applier');
      expect(entryOf(object, 'applier')?.operation).toBe('Apply');
    },
  }),

  defineRule('apply.managed-fields.operation-update', {
    sabotage: replaceIn('metadata.managedFields.*.operation', { ...secretPaths, with: 'Apply' }),
    async check({ secrets, expect }) {
      const created = (await secrets.post(secrets.sample(data('aaaa')), { fieldManager: 'creator' })).body;
      expect(entryOf(created, 'creator')?.operation, 'create').toBe('Update');
      const put = (await secrets.put({ ...created, ...data('bbbb') }, { fieldManager: 'updater' })).body;
      expect(entryOf(put, 'updater')?.operation, 'update').toBe('Update');
      const patched = (await secrets.patch(created.metadata.name, data('cccc'), { query: { fieldManager: 'patcher' } }))
        .body;
      expect(entryOf(patched, 'patcher')?.operation, 'patch').toBe('Update');
    },
  }),

  defineRule('apply.managed-fields.per-manager', {
    sabotage: changeAnswer(
      'shows one entry only',
      (body) => ({ ...body, metadata: { ...body.metadata, managedFields: body.metadata?.managedFields?.slice(0, 1) } }),
      secretPaths,
    ),
    async check({ secrets, unique, expect }) {
      const name = unique();
      for (const manager of ['one', 'two', 'three'])
        await secrets.apply(name, { data: { [manager]: 'aaaa' } }, manager);
      const { managedFields } = (await secrets.read(name)).metadata;
      expect(managedFields.map(({ manager }: Json) => manager).sort()).toEqual(['one', 'three', 'two']);
      for (const { manager, fieldsV1 } of managedFields)
        expect(fieldsV1).toEqual({ 'f:data': { [`f:${manager}`]: {} } });
    },
  }),

  defineRule('apply.managed-fields.server-kept', {
    sabotage: [
      removeIn('metadata.managedFields', secretPaths),
      removeIn('metadata.managedFields', { path: /\/jobs\/[^/]+$/, method: 'GET' }),
    ],
    matrix: { kind: generalKinds, write: changingWrites },
    where: fits,
    async check({ objects, expect }, { kind, write }) {
      const creator = { fieldManager: 'creator' };
      const before = { metadata: { annotations: { 'example.com/before': 'yes' } } };
      const object = (await objects.post(await objects.draft(before), creator)).body;
      expect(ownsField(object, 'creator', before), 'after the create').toBe(true);
      const { status, body } = await write.send({ objects, object, kind, query: { fieldManager: 'writer' } });
      expect(status, body?.message).toBe(200);
      const stored = await objects.read(nameOf(object));
      expect(ownsField(stored, 'creator', before), 'what was booked before').toBe(true);
      const booked = entryOf(stored, 'writer');
      const unbooked = write.sub === 'scale' || (kind.name === 'certificatesigningrequests' && write.sub === 'status');
      if (!unbooked) expect(booked?.fieldsV1, 'the write').toBeTypeOf('object');
      const gone = await objects.merge(nameOf(object), { metadata: { annotations: null } });
      expect(ownsField(gone, 'creator', before), 'a field that is gone').toBe(false);
      if (!unbooked) expect(entryOf(gone, 'writer'), 'the write, later').toEqual(booked);
    },
  }),

  defineRule('apply.managed-fields.not-in-body', {
    sabotage: answerStatus(200, { method: 'PATCH', body: /managedFields/ }),
    async check({ secrets, unique, expect }) {
      const name = unique();
      const { metadata } = await secrets.apply(name, data('aaaa'), 'applier');
      const { status } = await secrets.tryApply(
        name,
        { ...data('aaaa'), metadata: { managedFields: metadata.managedFields } },
        'applier',
      );
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect((await secrets.tryApply(name, data('aaaa'), 'applier')).status, 'without it').toBe(200);
    },
  }),
];
