import { expectEntries, movesTimes, tellsTenApart } from '../../checks/apply/entries.ts';
import { entryOf, owns, ownsField, ownsPatch } from '../../checks/apply/managed-fields.ts';
import { isOneInVersions, isTwoByTwoDoors } from '../../checks/apply/owned-versions.ts';
import { heedsEntries, refusesEntries, takesEntries } from '../../checks/apply/sent-entries.ts';
import { ownsElements } from '../../checks/apply/written-lists.ts';
import { appliedStatus, changingWrites, fits, unversioned } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import { changesRefused } from '../../sabotage/careless.ts';
import { answerStatus, changeAnswer, changeRequest, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/client.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { generalKinds, marking, named } from '../../verbs/subjects.ts';

const secretPaths = { path: /\/secrets(\/[^/]+)?$/ };
/** Of which servers make some themselves, which are owned like others. */
const madeByServers = named('namespaces', 'clusterroles');
/** Of which it is looked how the times of their entries move. */
const timed = named('secrets', 'widgets');
const everyKind = { matrix: { kind: generalKinds } } as const;

export default [
  // An entry holds manager, operation, apiVersion, time, fieldsType `FieldsV1` and the set of fields.
  defineRule('apply.managed-fields.entry', {
    ...everyKind,
    sabotage: [
      ...['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1'].map((member) =>
        removeIn(`metadata.managedFields.*.${member}`, secretPaths),
      ),
      removeIn('metadata.managedFields.*.time', { path: /\/ingressclasses\/[^/]+$/ }),
      removeIn('items.*.metadata.managedFields.*.fieldsType', { path: /\/clusterroles$/ }),
    ],
    async check({ objects, send, waitUntil, expect }, { kind }) {
      if (madeByServers.includes(kind))
        expectEntries((await send('GET', objects.everywhere, { query: { limit: 100 } })).body.items, expect);
      const body = await objects.draft();
      const object = await objects.apply(nameOf(body), merged(body, marking('one')), 'applier');
      if (!kind.busy && !kind.lingers) expect(object.metadata.managedFields).toHaveLength(1);
      const entry = entryOf(object, 'applier');
      const apiVersion = apiVersionOf(objects.at);
      expect(entry).toMatchObject({ manager: 'applier', operation: 'Apply', apiVersion, fieldsType: 'FieldsV1' });
      expect(entry.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(ownsPatch(object, 'applier', marking('one')), 'what was applied').toBe(true);
      expect(owns(object, 'applier', 'f:metadata', 'f:name'), 'what says which object it is').toBe(false);
      expect(owns(object, 'applier', 'f:kind'), 'what says which kind it is').toBe(false);
      const changed = await objects.patch(nameOf(body), marking('two'), { query: { fieldManager: 'patcher' } });
      expect(entryOf(changed.body, 'patcher'), 'of a patch').toMatchObject({ apiVersion, fieldsType: 'FieldsV1' });
      expect(entryOf(changed.body, 'patcher').time, 'of a patch').toMatch(/^\d{4}-\d\d-\d\dT/);
      if (timed.includes(kind)) await movesTimes(objects, body, { waitUntil, expect });
    },
  }),

  // Applying is booked as operation `Apply`.
  defineRule('apply.managed-fields.operation-apply', {
    ...everyKind,
    sabotage: [
      replaceIn('metadata.managedFields.*.operation', { ...secretPaths, with: 'Update' }),
      replaceIn('metadata.managedFields.*.operation', { method: 'PATCH', path: /\/jobs\//, with: 'Update' }),
    ],
    async check({ objects, expect }) {
      const body = await objects.draft();
      const object = await objects.apply(nameOf(body), merged(body, marking('one')), 'applier');
      expect(entryOf(object, 'applier')?.operation, 'a create').toBe('Apply');
      const next = await objects.apply(nameOf(body), marking('two'), 'other', { force: 'true' });
      expect(entryOf(next, 'other')?.operation, 'a change').toBe('Apply');
      const beside = { metadata: { labels: { beside: 'yes' } } };
      const both = (await objects.patch(nameOf(body), beside, { query: { fieldManager: 'other' } })).body;
      const entries = both.metadata.managedFields.filter(({ manager }: Json) => manager === 'other');
      const operations = entries.map(({ operation }: Json) => operation);
      expect(operations.sort(), 'beside a patch by the same manager').toEqual(['Apply', 'Update']);
    },
  }),

  // Any other write is booked as operation `Update`.
  defineRule('apply.managed-fields.operation-update', {
    ...everyKind,
    sabotage: [
      replaceIn('metadata.managedFields.*.operation', { ...secretPaths, with: 'Apply' }),
      replaceIn('metadata.managedFields.*.operation', { method: 'PATCH', path: /\/leases\//, with: 'Apply' }),
    ],
    async check({ objects, expect }, { kind }) {
      const created = (await objects.post(merged(await objects.draft(), marking('one')), { fieldManager: 'creator' }))
        .body;
      expect(entryOf(created, 'creator')?.operation, 'create').toBe('Update');
      const next = merged(unversioned(kind, created), marking('two'));
      expect(entryOf((await objects.put(next, { fieldManager: 'updater' })).body, 'updater')?.operation, 'update').toBe(
        'Update',
      );
      const query = { fieldManager: 'patcher' };
      const patched = (await objects.patch(nameOf(created), marking('three'), { query })).body;
      expect(entryOf(patched, 'patcher')?.operation, 'patch').toBe('Update');
      await ownsElements({ objects, expect }, kind, patched);
    },
  }),

  // Each manager has an entry in `metadata.managedFields`.
  defineRule('apply.managed-fields.per-manager', {
    ...everyKind,
    sabotage: [
      changeAnswer(
        'shows one entry only',
        (body) => merged(body, { metadata: { managedFields: body.metadata?.managedFields?.slice(0, 1) ?? null } }),
        secretPaths,
      ),
      changeAnswer(
        'tells nine entries at most',
        (body) => merged(body, { metadata: { managedFields: body.metadata?.managedFields?.slice(0, 9) ?? null } }),
        secretPaths,
      ),
      removeIn('metadata.managedFields.*.subresource', { method: 'PATCH', path: /\/ingresses\/[^/]+\/status$/ }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const body = await objects.draft();
      const part = (manager: string) => ({ metadata: { annotations: { [`example.com/${manager}`]: 'yes' } } });
      await objects.apply(nameOf(body), merged(body, part('one')), 'one');
      for (const manager of ['two', 'three']) await objects.apply(nameOf(body), part(manager), manager);
      const object = await objects.read(nameOf(body));
      for (const manager of ['one', 'two', 'three']) {
        expect(
          object.metadata.managedFields.filter((one: Json) => one.manager === manager),
          manager,
        ).toHaveLength(1);
        for (const other of ['one', 'two', 'three'])
          expect(ownsField(object, manager, part(other)), `${manager}, of the part of ${other}`).toBe(
            manager === other,
          );
      }
      for (const manager of ['three', 'four'])
        expect(entryOf(await objects.apply(nameOf(body), {}, manager), manager), `${manager}, of nothing`).toBe(
          undefined,
        );
      if (timed.includes(kind)) await tellsTenApart(objects, part, expect);
      if (kind.name === 'widgets') await isOneInVersions(context);
      if (!kind.status || !appliedStatus.fits(kind)) return;
      await isTwoByTwoDoors({ objects, object, kind }, expect);
    },
  }),

  // The server books every write in managedFields.
  defineRule('apply.managed-fields.server-kept', {
    sabotage: [
      removeIn('metadata.managedFields', secretPaths),
      removeIn('metadata.managedFields', { path: /\/jobs\/[^/]+$/, method: 'GET' }),
      changeRequest(
        'takes no entries for an empty list of them',
        (body) => merged({ metadata: { managedFields: [{}] } }, body),
        { method: 'PUT' },
      ),
      changeRequest(
        'takes entries that it cannot read for none',
        (body) => merged(body, { metadata: { managedFields: [{}] } }),
        { method: 'PUT', body: /"FieldsV0"/ },
      ),
      changeRequest(
        'takes an empty list of entries for none',
        ({ metadata: { managedFields: _, ...metadata } }) => ({ metadata }),
        {
          method: 'PATCH',
          body: /"managedFields":\[\]/,
          header: { 'content-type': /strategic/ },
        },
      ),
    ],
    matrix: { kind: generalKinds, write: changingWrites },
    where: fits,
    async check({ objects, version, expect }, { kind, write }) {
      const creator = { fieldManager: 'creator' };
      const before = { metadata: { annotations: { 'example.com/before': 'yes' } } };
      const object = (await objects.post(await objects.draft(before), creator)).body;
      expect(ownsField(object, 'creator', before), 'after the create').toBe(true);
      const answer = await write.send({ objects, object, kind, query: { fieldManager: 'writer' } });
      expect(answer.status, said(answer)).toBe(200);
      const stored = await objects.read(nameOf(object));
      expect(ownsField(stored, 'creator', before), 'what was booked before').toBe(true);
      // A controller that writes to the same field takes it over.
      const shared = kind.busy && write.sub === 'status';
      const booked = entryOf(shared ? answer.body : stored, 'writer');
      const unbooked = write.sub === 'scale' || (kind.name === 'certificatesigningrequests' && write.sub === 'status');
      if (!unbooked) expect(booked?.fieldsV1, 'the write').toBeTypeOf('object');
      const gone = await objects.merge(nameOf(object), { metadata: { annotations: null } });
      expect(ownsField(gone, 'creator', before), 'a field that is gone').toBe(false);
      if (!unbooked && !shared) expect(entryOf(gone, 'writer'), 'the write, later').toEqual(booked);
      if (write.name === 'update') {
        const { managedFields: _, ...metadata } = gone.metadata;
        const put = await objects.put(merged(unversioned(kind, { ...gone, metadata }), marking('bare')));
        expect(entryOf(put.body, 'writer'), 'the write, after an update without the entries').toEqual(booked);
        if (!kind.busy) await takesEntries({ version, expect }, objects, kind, put.body);
      }
      const sends = { name: nameOf(object), isBooked: !unbooked, clears: timed.includes(kind) };
      await heedsEntries({ objects, version, expect }, kind, write, sends);
    },
  }),

  // A body that is applied must be free of `managedFields`.
  defineRule('apply.managed-fields.not-in-body', {
    ...everyKind,
    sabotage: [
      answerStatus(200, { method: 'PATCH', body: /managedFields/ }),
      changesRefused({ method: 'PATCH', body: /managedFields/ }),
    ],
    async check({ objects, expect }, { kind }) {
      const body = merged(await objects.draft(), marking('one'));
      const { metadata } = await objects.apply(nameOf(body), body, 'applier');
      for (const managedFields of [metadata.managedFields, [], [{}]])
        await refusesEntries({ objects, expect }, kind, body, { metadata: { managedFields } });
      expect((await objects.read(nameOf(body))).metadata.annotations, 'after the refusal').toMatchObject(
        body.metadata.annotations,
      );
      for (const none of [{}, { metadata: { managedFields: null } }])
        expect((await objects.tryApply(nameOf(body), merged(body, none), 'applier')).status, 'without it').toBe(200);
    },
  }),
];
