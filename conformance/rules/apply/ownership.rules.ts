import { beyond, entryOf, owns, ownsField, ownsPatch, stepsTo } from '../../checks/apply/managed-fields.ts';
import { takesAcrossVersions } from '../../checks/apply/owned-versions.ts';
import {
  appliedStatus,
  fits,
  mainWrites,
  subresourceWrites,
  unversioned,
  type Write,
} from '../../checks/requests/writes.ts';
import { heldFrom } from '../../holds-for.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, forceQuery, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { changeOf, generalKinds, marking, type Subject } from '../../verbs/subjects.ts';

const secretPaths = { path: /\/secrets(\/[^/]+)?$/ };
const annotations = 'metadata.managedFields.*.fieldsV1.f:metadata';
const everyKind = { matrix: { kind: generalKinds } } as const;
type Owning = RuleContext & { readonly objects: Collection };
const before = { metadata: { annotations: { 'example.com/before': 'yes' } } };
const creator = { fieldManager: 'creator' };

/** Who changes something else later still has what he took before. */
async function keepsWhatItTook(
  objects: Collection,
  expect: RuleContext['expect'],
  { kind, write, object }: { readonly kind: Subject; readonly write: Write; readonly object: Json },
): Promise<void> {
  const later = { metadata: { annotations: { 'example.com/later': 'yes' } } };
  const query = { fieldManager: 'changer' };
  const answer = await write.send({ objects, object, kind: { ...kind, change: () => later }, query });
  expect(answer.status, `something else: ${said(answer)}`).toBe(200);
  for (const [when, change] of Object.entries({ since: later, before: changeOf(kind, 2) }))
    expect(ownsPatch(answer.body, 'changer', change), `what it changed ${when}`).toBe(true);
}

/** A write takes what it changes from whoever had it, and nothing else. */
const taking = (id: string, verb: 'update' | 'patch', sabotage: Parameters<typeof defineRule>[1]['sabotage']) =>
  defineRule(id, {
    matrix: { kind: generalKinds, write: mainWrites.filter((write) => write.verb === verb && write.name !== 'apply') },
    where: fits,
    sabotage,
    async check(context, { kind, write }) {
      const { objects, expect } = context;
      const body = merged(await objects.draft(before), changeOf(kind, 1));
      const object = (await objects.post(body, creator)).body;
      expect(ownsPatch(object, 'creator', before), 'who created it').toBe(true);
      const query = { fieldManager: 'changer' };
      const next = (await write.send({ objects, object, kind, round: 2, query })).body;
      expect(ownsPatch(next, 'changer', changeOf(kind, 2)), 'what it changed').toBe(true);
      expect(beyond(entryOf(next, 'changer')?.fieldsV1, changeOf(kind, 2)), 'what it did not').toEqual([]);
      expect(ownsPatch(next, 'creator', before), 'the one before, of what was not changed').toBe(true);
      expect(ownsField(next, 'creator', changeOf(kind, 2)), 'the one before, of what was').toBe(false);
      expect((await objects.read(nameOf(object))).metadata.managedFields, 'as stored').toEqual(
        kind.busy ? expect.anything() : next.metadata.managedFields,
      );
      await keepsWhatItTook(objects, expect, { kind, write, object: next });
      await takesStatus(objects, expect, kind, write);
      await takesNumber(objects, expect, kind, write);
      const told = through(write, 'status');
      if (kind.name === 'widgets' && told) await takesAcrossVersions(context, [write, told]);
    },
  });

/** A status belongs to whoever writes it as such, whatever an object itself says of it. */
async function ownsNoStatus(objects: Collection, expect: RuleContext['expect'], kind: Subject): Promise<void> {
  if (!kind.status) return;
  const said = await objects.draft(merged(before, kind.status(1)));
  const { body } = await objects.post(said, creator);
  expect(owns(body, 'creator', 'f:status'), 'of the status, who posts').toBe(false);
  const put = merged(unversioned(kind, body), merged(marking('put'), kind.status(2)));
  const next = (await objects.put(put, { fieldManager: 'updater' })).body;
  expect(ownsPatch(next, 'updater', marking('put')), 'who puts').toBe(true);
  expect(owns(next, 'updater', 'f:status'), 'of the status, who puts').toBe(false);
  const applied = await objects.apply(nameOf(body), merged(before, kind.status(1)), 'applier', { force: 'true' });
  expect(owns(applied, 'applier', 'f:status'), 'of the status, who applies').toBe(false);
}

/** The methods by which the same is written through a subresource. */
const methods: Readonly<Record<string, string>> = { update: 'put', 'merge patch': 'merge', 'JSON patch': 'json' };
const through = ({ name }: Write, sub: string): Write | undefined =>
  subresourceWrites.find((one) => one.name === `${methods[name]} ${sub}`);

/** A field of the status that differs from round to round, as field sets write the way to it. */
function stepsToStatus({ status }: Subject): string[] {
  const { conditions: [condition] = [], ...rest } = status?.(1).status ?? {};
  if (!condition) return stepsTo({ status: rest });
  return ['f:status', 'f:conditions', `k:{"type":"${condition.type}"}`, 'f:message'];
}

/** What is taken through the status is taken from whoever applied it. */
async function takesStatus(
  objects: Collection,
  expect: RuleContext['expect'],
  kind: Subject,
  main: Write,
): Promise<void> {
  const write = through(main, 'status');
  if (!write || kind.busy || !kind.status || !appliedStatus.fits(kind)) return;
  const made = await objects.create();
  const applied = await appliedStatus.send({ objects, object: made, kind, query: { fieldManager: 'applier' } });
  const steps = stepsToStatus(kind);
  expect(owns(applied.body, 'applier', ...steps), 'who applied the status').toBe(true);
  const query = { fieldManager: 'changer' };
  const next = (await write.send({ objects, object: applied.body, kind, round: 2, query })).body;
  expect(owns(next, 'changer', ...steps), `what ${write.name} changed`).toBe(true);
  expect(owns(next, 'applier', ...steps), `who applied the status, of what ${write.name} changed`).toBe(false);
}

/** The number of replicas that is set through a Scale is taken from whoever applied it. */
async function takesNumber(
  objects: Collection,
  expect: RuleContext['expect'],
  kind: Subject,
  main: Write,
): Promise<void> {
  const write = through(main, 'scale');
  if (!write?.fits(kind)) return;
  const number = { spec: kind.custom ? { size: 1 } : { replicas: 1 } };
  const { metadata } = await objects.create();
  const object = await objects.apply(metadata.name, number, 'applier', { force: 'true' });
  expect(ownsField(object, 'applier', number), 'who applied the number').toBe(true);
  const answer = await write.send({ objects, object, kind, round: 2, query: { fieldManager: 'changer' } });
  expect(answer.status, `${write.name}: ${said(answer)}`).toBe(200);
  const next = await objects.read(metadata.name);
  expect(ownsField(next, 'applier', number), `who applied the number, after ${write.name}`).toBe(false);
}

/** Null as a value of its own, and what is stored for it: a field that may be null, and a text. */
const nulls: Readonly<Record<string, readonly [given: Json, stored: Json]>> = {
  widgets: [{ spec: { note: null } }, { spec: { note: null } }],
  gadgets: [{ spec: { note: null } }, { spec: { note: null } }],
  configmaps: [{ data: { none: null } }, { data: { none: '' } }],
};

/** Null counts as any other value: who applies it manages it, and others must not change it. */
async function managesNull({ objects, version, expect }: Owning, kind: Subject): Promise<void> {
  const [given, stored] = nulls[kind.name] ?? [];
  if (!given || heldFrom({ from: 21 }, version)) return;
  const { metadata } = await objects.create();
  const answered = await objects.tryApply(metadata.name, given, 'nobody');
  expect(answered.status, `null: ${said(answered)}`).toBe(200);
  expect(await objects.read(metadata.name), 'null, as stored').toMatchObject(stored);
  expect(ownsField(answered.body, 'nobody', given), 'who applied null').toBe(true);
  const [[section, fields]] = Object.entries<Json>(given) as [[string, Json]];
  const other = { [section]: Object.fromEntries(Object.keys(fields).map((key) => [key, 'some'])) };
  expect((await objects.tryApply(metadata.name, other, 'somebody')).status, 'in place of null').toBe(409);
}

export default [
  // Who posts an object manages the fields in it.
  defineRule('apply.ownership.post', {
    ...everyKind,
    sabotage: [removeIn(annotations, secretPaths), replaceIn('metadata.managedFields.*.manager', secretPaths)],
    async check({ objects, version, expect }, { kind }) {
      const change = changeOf(kind, 1);
      const { body } = await objects.post(merged(await objects.draft(before), change), creator);
      expect(ownsPatch(body, 'creator', before), 'metadata').toBe(true);
      if (kind.name !== 'events') expect(ownsPatch(body, 'creator', change), 'content').toBe(true);
      if (!heldFrom({ from: 22 }, version)) await ownsNoStatus(objects, expect, kind);
    },
  }),

  // Who puts an object manages what it changed by that.
  taking('apply.ownership.put', 'update', [removeIn(annotations, { ...secretPaths, method: 'PUT' })]),
  // Who patches an object manages what it changed by that.
  taking('apply.ownership.patch', 'patch', [
    removeIn(annotations, { ...secretPaths, method: 'PATCH' }),
    replaceIn('metadata.managedFields.*.manager', { method: 'PATCH', path: /\/leases\// }),
  ]),

  // Who applies manages all that was in the body.
  defineRule('apply.ownership.apply', {
    ...everyKind,
    sabotage: [removeIn(annotations, { ...secretPaths, method: 'PATCH' })],
    async check(context, { kind }) {
      const { objects, expect } = context;
      await managesNull(context, kind);
      const body = await objects.draft();
      await objects.apply(nameOf(body), merged(body, before), 'first');
      const next = await objects.apply(nameOf(body), merged(before, marking('new')), 'second');
      expect(ownsPatch(next, 'second', before), 'a field with the value it had').toBe(true);
      expect(ownsPatch(next, 'second', marking('new')), 'a new field').toBe(true);
      expect(ownsField(next, 'first', marking('new')), 'the other, of the new field').toBe(false);
      const content = await objects.apply(nameOf(body), changeOf(kind, 1), 'third', { force: 'true' });
      expect(ownsPatch(content, 'third', changeOf(kind, 1)), 'content').toBe(true);
    },
  }),

  // Two who apply one value both manage the field.
  defineRule('apply.ownership.shared', {
    ...everyKind,
    sabotage: [
      answerStatus(409, { method: 'PATCH', from: 2 }),
      removeIn(annotations, { method: 'GET', ...secretPaths }),
    ],
    async check({ objects, expect }) {
      const body = merged(await objects.draft(), marking('one'));
      const name = nameOf(body);
      await objects.apply(name, body, 'first');
      expect((await objects.tryApply(name, marking('one'), 'second')).status).toBe(200);
      const object = await objects.read(name);
      const steps = ['f:metadata', 'f:annotations', 'f:example.com/round'];
      for (const manager of ['first', 'second']) expect(owns(object, manager, ...steps), manager).toBe(true);
    },
  }),

  // Changing a shared field is a conflict with the other manager.
  defineRule('apply.ownership.shared-change-conflicts', {
    ...everyKind,
    sabotage: [answerStatus(200, { method: 'PATCH', instead: 409 }), forceQuery('force', 'true', { method: 'PATCH' })],
    async check({ objects, expect }) {
      const body = merged(await objects.draft(), marking('one'));
      const name = nameOf(body);
      await objects.apply(name, body, 'first');
      await objects.apply(name, marking('one'), 'second');
      for (const manager of ['first', 'second']) {
        const { status } = await objects.tryApply(name, merged(body, marking('two')), manager);
        expect(status, manager).toBe(409);
      }
      expect((await objects.read(name)).metadata.annotations).toMatchObject({ 'example.com/round': 'one' });
    },
  }),
];
