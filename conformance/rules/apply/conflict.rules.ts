import type { Expect } from '../../assertions.ts';
import { goesOnFromClientSide } from '../../checks/apply/client-side-apply.ts';
import { owns, ownsField, ownsPatch } from '../../checks/apply/managed-fields.ts';
import { appliedStatus, unversioned } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, forceQuery, ignoreQuery, loseWrite, removeIn, replaceIn } from '../../sabotage/transforms.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, versionOf } from '../../verbs/states.ts';
import { allKinds, changeOf, generalKinds, marking, type Subject } from '../../verbs/subjects.ts';

const patches = { method: 'PATCH', path: /\/secrets\// };
const everyKind = { matrix: { kind: generalKinds } } as const;
const round = (object: Json): Json => object.metadata.annotations?.['example.com/round'];
const steps = ['f:metadata', 'f:annotations', 'f:example.com/round'] as const;
const forced = { force: 'true' };

const owners = ['apply', 'create', 'update'] as const;

/** Kinds that have a Scale, each with the cell in which it is looked at. */
const scaled: ReadonlyMap<string, (typeof owners)[number]> = new Map([
  ['deployments', 'update'],
  ...(['statefulsets', 'replicasets'] as const).map((name) => [name, 'apply'] as const),
]);

/** What is applied a second time as it was meets what somebody else has made of a part of it. */
async function looksAtTheObject(objects: Collection, expect: Expect): Promise<void> {
  const body = merged(await objects.draft(), { metadata: { annotations: { a: 'one', b: 'one' } } });
  await objects.apply(nameOf(body), body, 'first');
  await objects.merge(nameOf(body), { metadata: { annotations: { a: 'two' } } });
  expect((await objects.tryApply(nameOf(body), body, 'first')).status, 'the same once more').toBe(409);
}

/** An object of which `first` has set an annotation and what the kind is about. */
async function appliedBy(objects: Collection, kind: Subject, by: (typeof owners)[number] = 'apply'): Promise<Json> {
  const body = await objects.draft();
  const change = merged(changeOf(kind, 1), marking('one'));
  const whole = merged(body, change);
  const first = { fieldManager: 'first' };
  if (by === 'apply') return objects.apply(nameOf(body), whole, 'first');
  if (by === 'create') return (await objects.post(whole, first)).body;
  const { body: made } = await objects.post(body);
  return (await objects.put(merged(unversioned(kind, made), change), first)).body;
}

/** A status that somebody else has applied. */
async function refusesStatus(objects: Collection, expect: Expect, kind: Subject, object: Json): Promise<void> {
  const apply = (fieldManager: string, round: number) =>
    appliedStatus.send({ objects, kind, object, round, query: { fieldManager, force: 'false' } });
  const applied = await apply('first', 1);
  expect(applied.status, `the status: ${said(applied)}`).toBe(200);
  const refused = await apply('second', 2);
  expect(refused.status, 'the status of somebody else').toBe(409);
  expect(refused.body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Conflict' });
  const after = await objects.read(nameOf(object));
  expect(versionOf(after), 'the status is as it was').toBe(versionOf(applied.body));
}

/** What somebody has set through a subresource is theirs as well. */
async function refusesScale(objects: Collection, expect: Expect): Promise<void> {
  const name = nameOf(await objects.create());
  const scale = { type: 'merge', sub: 'scale', query: { fieldManager: 'first' } } as const;
  const set = await objects.patch(name, { spec: { replicas: 1 } }, scale);
  expect(set.status, `a scale: ${said(set)}`).toBe(200);
  const refused = await objects.tryApply(name, { spec: { replicas: 2 } }, 'second');
  expect(refused.status, 'what was set through its scale').toBe(409);
  expect((await objects.read(name)).spec.replicas, 'what is stored').toBe(1);
}

export default [
  // Applying another value to a field somebody else manages fails and leaves everything as it is.
  defineRule('apply.conflict.only-apply', {
    matrix: { kind: allKinds, by: owners },
    where: ({ kind, by }) => by === 'apply' || generalKinds.includes(kind),
    sabotage: [
      answerStatus(200, { ...patches, instead: 409 }),
      forceQuery('force', 'true', { method: 'PATCH', path: /\/horizontalpodautoscalers\// }),
      forceQuery('force', 'true', { ...patches, nth: 2 }),
      forceQuery('force', 'true', { method: 'PATCH', path: /\/jobs\//, from: 2 }),
      forceQuery('force', 'true', { ...patches, query: { dryRun: true } }),
      forceQuery('force', 'true', { method: 'PATCH', path: /\/leases\//, nth: 6 }),
      forceQuery('force', 'true', { method: 'PATCH', path: /\/status$/ }),
      forceQuery('force', 'true', { method: 'PATCH', query: { fieldManager: 'kubectl' } }),
    ],
    async check(context, { kind, by }) {
      const { objects, expect } = context;
      const before = await appliedBy(objects, kind, by);
      for (const [what, other] of Object.entries({ content: changeOf(kind, 2), metadata: marking('two') })) {
        const over = merged(other, { metadata: { labels: { beside: 'yes' } } });
        const refused = await objects.tryApply(nameOf(before), over, 'second');
        expect(refused.status, what).toBe(409);
        const tried = await objects.tryApply(nameOf(before), over, 'second', { dryRun: 'All' });
        expect(tried.status, `${what}, tried`).toBe(409);
        expect(refused.body).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Conflict' });
      }
      const after = await objects.read(nameOf(before));
      expect(after, 'the object is as it was').toMatchObject(merged(changeOf(kind, 1), marking('one')));
      expect(after.metadata.labels?.beside, 'a part of what was refused').toBeUndefined();
      if (scaled.get(kind.name) === by) await refusesScale(objects, expect);
      if (by === 'apply' && generalKinds.includes(kind)) await looksAtTheObject(objects, expect);
      if (by === 'create') await goesOnFromClientSide(context, kind);
      if (kind.busy) return;
      expect(versionOf(after)).toBe(versionOf(before));
      if (by === 'apply' && appliedStatus.fits(kind)) await refusesStatus(objects, expect, kind, after);
    },
  }),

  // An update never meets such a conflict: it sets the value and takes the field.
  defineRule('apply.conflict.update-takes-over', {
    ...everyKind,
    sabotage: [
      answerStatus(409, { method: 'PUT' }),
      replaceIn('metadata.managedFields.*.manager', { with: 'first', method: 'PUT' }),
    ],
    async check({ objects, expect }, { kind }) {
      const object = await appliedBy(objects, kind);
      const next = merged(unversioned(kind, object), merged(changeOf(kind, 2), marking('two')));
      const put = await objects.put(next, { fieldManager: 'second' });
      expect(put.status, `update: ${said(put)}`).toBe(200);
      expect(put.body).toMatchObject(merged(changeOf(kind, 2), marking('two')));
      for (const change of [changeOf(kind, 2), marking('two')]) {
        expect(ownsPatch(put.body, 'second', change), 'who updated it').toBe(true);
        expect(ownsField(put.body, 'first', change), 'who owned it before').toBe(false);
      }
      const patched = await objects.patch(nameOf(object), marking('three'), { query: { fieldManager: 'third' } });
      expect(patched.status, 'patch').toBe(200);
      expect(owns(patched.body, 'third', ...steps), 'who patched it').toBe(true);
      expect(owns(patched.body, 'second', ...steps), 'who owned it before').toBe(false);
    },
  }),

  // With `force=true` the value is set all the same.
  defineRule('apply.conflict.force', {
    ...everyKind,
    sabotage: [ignoreQuery('force', patches), loseWrite({ ...patches, query: { force: true } })],
    async check({ objects, expect }, { kind }) {
      const name = nameOf(await appliedBy(objects, kind));
      const other = merged(changeOf(kind, 2), marking('two'));
      expect((await objects.tryApply(name, other, 'second', { force: 'false' })).status, 'force=false').toBe(409);
      const all = { ...forced, fieldValidation: 'Strict' };
      expect((await objects.tryApply(name, other, 'second', all)).status, 'force=true').toBe(200);
      expect(await objects.read(name)).toMatchObject(other);
    },
  }),

  // What is forced is taken from the other managers.
  defineRule('apply.conflict.force-removes-others', {
    matrix: { kind: generalKinds, by: ['apply', 'update'] },
    sabotage: replaceIn('metadata.managedFields.*.fieldsV1', {
      ...patches,
      with: { 'f:data': { 'f:round': {} }, 'f:metadata': { 'f:annotations': { 'f:example.com/round': {} } } },
    }),
    async check({ objects, expect }, { kind, by }) {
      const name = nameOf(await appliedBy(objects, kind, by));
      const object = (await objects.tryApply(name, changeOf(kind, 2), 'second', forced)).body;
      expect(ownsPatch(object, 'second', changeOf(kind, 2)), 'the one who forces').toBe(true);
      expect(ownsField(object, 'first', changeOf(kind, 2)), 'the other, of what was forced').toBe(false);
      expect(owns(object, 'first', ...steps), 'the other, of what was not').toBe(true);
      expect(owns(object, 'second', ...steps), 'the one who forces, of what was not').toBe(false);
      await objects.apply(name, marking('one'), 'third');
      const taken = (await objects.tryApply(name, marking('two'), 'fourth', forced)).body;
      for (const manager of ['first', 'third'])
        expect(owns(taken, manager, ...steps), `${manager}, of what two had`).toBe(false);
      expect(owns(taken, 'fourth', ...steps), 'the one who forces, of what two had').toBe(true);
    },
  }),

  // Applying again without the field keeps its value but gives it up.
  defineRule('apply.conflict.give-up', {
    ...everyKind,
    sabotage: [answerStatus(409, { ...patches, from: 3 }), replaceIn('metadata.annotations', { ...patches, with: {} })],
    async check({ objects, expect }, { kind }) {
      const name = nameOf(await appliedBy(objects, kind));
      const beside = { metadata: { labels: { beside: 'yes' } } };
      const both = merged(beside, marking('two'));
      expect((await objects.tryApply(name, both, 'second')).status, 'with the field').toBe(409);
      const { status, body } = await objects.tryApply(name, beside, 'second');
      expect(status, 'without the field').toBe(200);
      expect(round(body), 'its value').toBe('one');
      expect(body.metadata.labels).toMatchObject({ beside: 'yes' });
      expect(owns(body, 'second', ...steps)).toBe(false);
      expect(owns(body, 'first', ...steps)).toBe(true);
    },
  }),

  // Applying again with the present value shares the field without conflict.
  defineRule('apply.conflict.share', {
    ...everyKind,
    sabotage: [answerStatus(409, { ...patches, from: 3 }), removeIn('metadata.managedFields.1', patches)],
    async check({ objects, expect }, { kind }) {
      const name = nameOf(await appliedBy(objects, kind));
      expect((await objects.tryApply(name, marking('two'), 'second')).status, 'another value').toBe(409);
      const alike = merged(changeOf(kind, 1), marking('one'));
      const answer = await objects.tryApply(name, alike, 'second');
      expect(answer.status, `the live value: ${said(answer)}`).toBe(200);
      for (const manager of ['first', 'second']) {
        expect(owns(answer.body, manager, ...steps), manager).toBe(true);
        expect(ownsPatch(answer.body, manager, changeOf(kind, 1)), manager).toBe(true);
      }
    },
  }),
];
