import { specChanges } from '../../checks/custom/judged-custom.ts';
import { objectOf, text } from '../../checks/custom/schema-parts.ts';
import { unversioned } from '../../checks/requests/writes.ts';
import { heldFrom } from '../../holds-for.ts';
import { defineRule } from '../../rule.ts';
import { changeAnswer, removeIn } from '../../sabotage/transforms.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { changeOf, generalKinds, type Subject } from '../../verbs/subjects.ts';

const shut = { type: 'object', properties: { a: { type: 'string' } } };
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const some = { a: 'one', b: 'two' };

/** What is described below a part that keeps all is of that description. */
async function dropsBeneath(context: RuleContext): Promise<void> {
  const map = { ...free, additionalProperties: shut };
  const properties = { shut, map, list: { type: 'array', items: shut }, inner: { ...free, properties: { shut } } };
  const things = await customType(context, { spec: { ...free, properties } });
  const spec = { shut: some, map: { key: some }, list: [some, some], inner: { shut: some }, other: { shut: some } };
  const { metadata } = await things.create({ spec });
  const pruned = { a: 'one' };
  const { other: _, ...stored } = (await things.read(metadata.name)).spec;
  context
    .expect(stored, 'what is described below what is kept')
    .toEqual({ shut: pruned, map: { key: pruned }, list: [pruned, pruned], inner: { shut: pruned } });
}

const capital = (key: string): string => key[0]?.toUpperCase() + key.slice(1);

/** The parts of an object under other names: those of the outermost, and of what is wanted, with a capital. */
const recased = (parts: Json): Json =>
  Object.fromEntries(
    Object.entries<Json>(parts).flatMap(([key, value]) => [
      [capital(key), value],
      ...(key === 'spec' ? [[key, recased(value)]] : []),
    ]),
  );

/** A field is that of its name alone: in other letters it is none that is known. */
async function knowsCase({ version, expect }: RuleContext, kind: Subject, objects: Collection): Promise<void> {
  if (kind.custom && heldFrom({ from: 23 }, version)) return;
  const other = changeOf(kind, 2);
  const changed = merged(recased(other), { metadata: { Labels: { 'example.com/cased': 'yes' } } });
  const body = merged(await objects.draft(), changed);
  const name = nameOf(body);
  const read = async (what: string): Promise<void> => {
    const stored = await objects.read(name);
    expect(stored.metadata.labels ?? {}, `labels by another name, ${what}`).not.toHaveProperty(['example.com/cased']);
    for (const key of Object.keys(recased(other)))
      expect(stored, what).not.toHaveProperty(key === 'spec' ? 'Spec' : key);
    if (kind.change) expect(stored, `parts by other names, ${what}`).not.toMatchObject(other);
  };
  const made = await objects.post(body);
  expect(made.status, `fields by other names: ${said(made)}`).toBe(201);
  await read('created');
  await objects.put(unversioned(kind, merged(await objects.read(name), changed)));
  await read('updated');
  await objects.patch(name, changed);
  await read('patched');
}

/** Parts that keep what they do not know, wherever they stand, with what is sent of each. */
const keeping: Readonly<Record<string, readonly [schema: Json, sent: Json]>> = {
  part: [free, some],
  list: [{ type: 'array', items: free }, [some, {}, some]],
  map: [{ type: 'object', additionalProperties: free }, { key: some }],
  lists: [{ type: 'array', items: { type: 'array', items: free } }, [[some], [some]]],
  inner: [{ type: 'array', items: { type: 'object', properties: { free } } }, [{ free: some }]],
  keyed: [
    {
      ...{ type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
      items: { ...free, required: ['a'], properties: { a: { type: 'string' } } },
    },
    [some],
  ],
};

/** Whichever way it was written, what is below such a part is there as it was sent. */
async function keepsBeneath(context: RuleContext): Promise<void> {
  const { version, expect } = context;
  if (heldFrom({ from: 24 }, version)) return;
  const properties = Object.fromEntries(Object.entries(keeping).map(([name, [schema]]) => [name, schema]));
  const spec = Object.fromEntries(Object.entries(keeping).map(([name, [, sent]]) => [name, sent]));
  const things = await customType(context, { spec: { type: 'object', properties } });
  const made = await things.create({ spec });
  expect((await things.read(nameOf(made))).spec, 'created').toEqual(spec);
  for (const [write, send] of Object.entries(specChanges(things, await things.create(), spec))) {
    const answer = await send();
    expect(answer.status, `${write}: ${said(answer)}`).toBe(200);
    expect((await things.read(nameOf(answer.body))).spec, write).toEqual(spec);
  }
}

/** Parts of a custom type that are maps and lists, and its status. */
async function dropsInside(context: RuleContext): Promise<void> {
  const { expect } = context;
  const known = { type: 'object', properties: { a: { type: 'string' } } };
  const map = { type: 'object', additionalProperties: known };
  const spec = { type: 'object', properties: { map, list: { type: 'array', items: known } } };
  const things = await customType(context, { spec, status: known });
  const both = { a: 'one', b: 'two' };
  const sent = things.sample({ spec: { map: { key: both }, list: [both, both] }, status: both });
  expect((await things.post(sent)).status, 'of a custom type').toBe(201);
  const stored = await things.read(nameOf(sent));
  expect(stored.spec, 'inside maps and lists').toEqual({
    map: { key: { a: 'one' } },
    list: [{ a: 'one' }, { a: 'one' }],
  });
  expect(stored.status, 'of a status').toEqual({ a: 'one' });
  await dropsBeneath(context);
  await keepsBeneath(context);
  await dropsByVersion(context);
}

/** What is written in a version is read as that one knows it, and kept as the stored one does. */
async function dropsByVersion(context: RuleContext): Promise<void> {
  const { kind, expect } = context;
  const knowing = (...names: string[]): Json => objectOf(Object.fromEntries(names.map((name) => [name, text])));
  const stored = await customType(context, {
    ...{ spec: knowing('both', 'one'), otherSpec: knowing('both', 'two'), others: ['v2'] },
  });
  const other = kind({ ...stored.at, version: 'v2' });
  const spec = { both: 'a', one: 'b', two: 'c', none: 'd' };
  const known = { [stored.at.version]: { both: 'a', one: 'b' }, v2: { both: 'a' } };
  for (const objects of [stored, other]) {
    const written = `written in ${objects.at.version}`;
    const { metadata } = await objects.create({ spec });
    await objects.patch(metadata.name, { spec });
    expect((await stored.read(metadata.name)).spec, written).toEqual(known[objects.at.version]);
    expect((await other.read(metadata.name)).spec, `${written}, read in v2`).toEqual({ both: 'a' });
  }
}

export default [
  // What the schema does not know is not stored.
  defineRule('fields.unknown.dropped', {
    sabotage: changeAnswer('keeps unknown fields', (body) => ({ ...body, shape: 'round' }), {
      method: 'GET',
      path: /\/secrets\/[^/]+$/,
    }),
    matrix: { kind: generalKinds },
    async check(context, { kind }) {
      const { objects, expect } = context;
      const unknown = { shape: 'round', metadata: { shape: 'round' } };
      const answer = await objects.post(await objects.draft(merged(unknown, kind.edges)));
      expect(answer.status, said(answer)).toBe(201);
      const name = nameOf(answer.body);
      const untouched = async (what: string) => {
        const stored = await objects.read(name);
        expect(stored, `a field the schema does not know, after ${what}`).not.toHaveProperty('shape');
        expect(stored.metadata, `one of metadata, after ${what}`).not.toHaveProperty('shape');
        expect(stored, `the fields that it knows, after ${what}`).toMatchObject(kind.edges);
      };
      await untouched('create');
      await knowsCase(context, kind, objects);
      await objects.put(unversioned(kind, merged(await objects.read(name), unknown)));
      await untouched('update');
      await objects.patch(name, unknown);
      await untouched('patch');
      for (const item of (await objects.viewed('labels').list()).items)
        expect(item, 'in a list').not.toHaveProperty('shape');
      if (kind.name === 'widgets') await dropsInside(context);
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
      const partly = await customType(context, { spec: { type: 'object', properties: { free, shut } } });
      const made = await partly.create({ spec: { free: some, shut: some } });
      expect((await partly.read(nameOf(made))).spec, 'in a part of it').toEqual({ free: some, shut: { a: 'one' } });
    },
  }),
];
