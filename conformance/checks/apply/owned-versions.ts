import type { Expect } from '../../assertions.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { marking, subjects } from '../../verbs/subjects.ts';
import { untilStatus } from '../../verbs/until-status.ts';
import { objectOf, text, whole } from '../custom/schema-parts.ts';
import { appliedStatus, type Write, type WriteParts } from '../requests/writes.ts';
import { beyond, entryOf, ownsField } from './managed-fields.ts';

/** A type in the version of the store and in another one, with the same fields in both. */
async function inTwoVersions(context: RuleContext): Promise<readonly [Collection, Collection]> {
  const stored = await customType(context, {
    spec: objectOf({ a: text, b: text, size: whole }),
    status: objectOf({ ready: whole, seen: whole }),
    version: { subresources: { status: {} } },
    others: ['v2'],
  });
  const other = context.kind({ ...stored.at, version: 'v2' });
  await untilStatus(context, 'the second version is served', 200, () => other.getAll());
  return [stored, other];
}

/** Who writes in another version takes what the write changed, of the object and of its status, and nothing else. */
export async function takesAcrossVersions(context: RuleContext, writes: readonly Write[]): Promise<void> {
  const [stored, other] = await inTwoVersions(context);
  for (const [first, second] of [
    [stored, other],
    [other, stored],
  ] as const) {
    const { body } = await first.post(first.sample({ spec: { size: 1, b: 'b' } }), { fieldManager: 'creator' });
    const told = { status: { ready: 1, seen: 1 } };
    await first.patch(nameOf(body), told, { sub: 'status', query: { fieldManager: 'teller' } });
    for (const write of writes) await takesOne(context, second, write, await second.read(nameOf(body)));
  }
}

async function takesOne({ expect }: RuleContext, objects: Collection, write: Write, object: Json): Promise<void> {
  const change = write.sub ? { status: { ready: 2 } } : { spec: { size: 2 } };
  const kind = { ...subjects.widgets, change: () => change, status: () => change };
  const changer = `changer ${write.sub}`;
  const answer = await write.send({ objects, object, kind, query: { fieldManager: changer } });
  const what = `${write.name} in ${objects.at.version}`;
  expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
  expect(ownsField(answer.body, changer, change), `${what}: who changed it, of what was changed`).toBe(true);
  expect(beyond(entryOf(answer.body, changer)?.fieldsV1, change), `${what}: who changed it, beside`).toEqual([]);
  expect(ownsField(answer.body, write.sub ? 'teller' : 'creator', change), `${what}: who had it`).toBe(false);
  expect(ownsField(answer.body, 'creator', { spec: { b: 'b' } }), `${what}: who created it, of the rest`).toBe(true);
  expect(ownsField(answer.body, 'teller', { status: { seen: 1 } }), `${what}: who told of it, of the rest`).toBe(true);
}

/** What was applied in one version and is left out in another stays as long as somebody else applies it. */
export async function removesAcrossVersions(context: RuleContext): Promise<void> {
  const { expect, unique } = context;
  const [stored, other] = await inTwoVersions(context);
  const both = { spec: { a: 'a', b: 'b' } };
  const less = { spec: { a: 'a' } };
  for (const [from, to] of [
    [stored, other],
    [other, stored],
  ] as const) {
    const name = unique();
    const what = `left out in ${to.at.version}`;
    for (const manager of ['first', 'second']) await from.apply(name, both, manager);
    const rival = await to.tryApply(name, { spec: { a: 'other' } }, 'rival');
    expect(rival.status, `what was applied in ${from.at.version}, by somebody else in ${to.at.version}`).toBe(409);
    const shared = await to.apply(name, less, 'first');
    expect(shared.spec, `${what}, of two who apply it`).toEqual(both.spec);
    const entries = shared.metadata.managedFields.filter(({ manager }: Json) => manager === 'first');
    expect(entries, `${what}: who leaves it out`).toMatchObject([{ apiVersion: apiVersionOf(to.at) }]);
    expect((await to.apply(name, less, 'second')).spec, `${what} by both`).toEqual(less.spec);
    await from.apply(name, {}, 'first');
    expect((await from.apply(name, {}, 'second')).spec?.a, `${what} and then in ${from.at.version}`).toBeUndefined();
  }
}

/** Who applies in two versions is one manager, and what is left out in the other goes as in the same. */
export async function isOneInVersions(context: RuleContext): Promise<void> {
  const { expect } = context;
  const first = await customType(context, { others: ['v2'] });
  const second = context.kind({ ...first.at, version: 'v2' });
  const { metadata } = await first.apply('applied', marking('one'), 'applier');
  const object = await second.apply(metadata.name, { metadata: { labels: { second: 'yes' } } }, 'applier');
  const entries = object.metadata.managedFields.map(({ manager, apiVersion }: Json) => [manager, apiVersion]);
  expect(entries, 'of who applies in two versions').toEqual([['applier', apiVersionOf(second.at)]]);
  // A webhook of the cluster may have added its own.
  const applied = marking('one').metadata.annotations;
  expect(object.metadata.annotations ?? {}, 'what was left out in the second').not.toMatchObject(applied);
}

/** Who writes an object and its status has an entry for each, be it by patches or by applies. */
export async function isTwoByTwoDoors(parts: WriteParts, expect: Expect): Promise<void> {
  const { objects, object, kind } = parts;
  const doorsOf = ({ metadata }: Json, manager: string): string[] =>
    metadata.managedFields
      .filter((one: Json) => one.manager === manager)
      .map(({ subresource }: Json) => subresource ?? '')
      .sort();
  const query = { fieldManager: 'four' };
  await objects.patch(nameOf(object), marking('four'), { query });
  const both = await objects.patch(nameOf(object), kind.status?.(1) ?? {}, { sub: 'status', query });
  expect(doorsOf(both.body, 'four'), 'who writes the object and its status').toEqual(['', 'status']);
  const applied = await appliedStatus.send({ ...parts, query: { fieldManager: 'one' } });
  expect(applied.status, said(applied)).toBe(200);
  expect(doorsOf(applied.body, 'one'), 'who applies the object and its status').toEqual(['', 'status']);
}
