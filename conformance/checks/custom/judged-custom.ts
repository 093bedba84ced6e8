import { heldFrom } from '../../holds-for.ts';
import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';

const text = { type: 'string' };
const embedded = {
  ...{ type: 'object', 'x-kubernetes-embedded-resource': true },
  properties: { more: { type: 'array', items: { type: 'object' } } },
};

/** What the values of a custom type may be, by every keyword that limits them. */
const limited = {
  spec: {
    type: 'object',
    required: ['size'],
    properties: {
      size: { type: 'integer', minimum: 1, maximum: 9 },
      share: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
      count: { type: 'integer', multipleOf: 5 },
      ratio: { type: 'number', multipleOf: 0.5 },
      either: { 'x-kubernetes-int-or-string': true },
      colour: { ...text, enum: ['red', 'blue'] },
      word: { ...text, maxLength: 3, minLength: 1 },
      code: { ...text, pattern: '^[a-z]+$' },
      part: { ...text, pattern: '[0-9]' },
      when: { ...text, format: 'date-time' },
      steps: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'integer', enum: [1, 2, 3] } },
      words: { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: text },
      parts: { type: 'array', items: { type: 'object', required: ['name'], properties: { name: text } } },
      pair: { type: 'object', properties: { a: text, b: text }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      inner: embedded,
    },
  },
  status: { type: 'object', properties: { ready: { type: 'integer', maximum: 9 } } },
  version: { subresources: { status: {} } },
};

const fitting: readonly Json[] = [
  { size: 1, word: 'äöü', code: 'abc', steps: [3, 1], share: 0.5, count: 10, ratio: 1.5, words: { a: '', b: 'b' } },
  { size: 3, part: 'a1b', word: '😀😀😀' },
  { size: 9, colour: 'blue', either: 5, parts: [{ name: 'a' }], pair: { b: 'b' }, when: '2024-05-06T07:08:09Z' },
  { size: 2, either: '5%', parts: [], inner: { apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' }, more: [{}] } },
];

const unfit: readonly Json[] = [
  { size: 0 },
  { size: 10 },
  { size: 1.5 },
  { size: '1' },
  { colour: 'red', size: null },
  { size: 1, share: 0 },
  { size: 1, share: 9 },
  { size: 1, count: 7 },
  { size: 1, ratio: 0.3 },
  { size: 1, either: 1.5 },
  { size: 1, either: true },
  { size: 1, colour: 'green' },
  { size: 1, word: 'abcd' },
  { size: 1, word: '' },
  { size: 1, code: 'ab1' },
  { size: 1, part: 'ab' },
  { size: 1, when: 'yesterday' },
  { size: 1, steps: [] },
  { size: 1, steps: [1, 2, 3] },
  { size: 1, steps: [4] },
  { size: 1, words: {} },
  { size: 1, words: { a: 'a', b: 'b', c: 'c' } },
  { size: 1, words: { a: 1 } },
  { size: 1, parts: [{ name: 'a' }, {}] },
  { size: 1, pair: {} },
  { size: 1, pair: { a: 'a', b: 'b' } },
  { size: 1, inner: { kind: 'Any', metadata: { name: 'a' } } },
];

/** A spec in place of the one that is there, in all the ways of changing it. */
export const specChanges = (
  things: Collection,
  object: Json,
  spec: Json,
): Readonly<Record<string, () => Promise<Answer>>> => ({
  update: () => things.put({ ...object, spec }),
  'merge patch': () => things.patch(object.metadata.name, { spec }),
  'JSON patch': () => things.patch(object.metadata.name, [{ op: 'add', path: '/spec', value: spec }], { type: 'json' }),
  apply: () => things.tryApply(object.metadata.name, { spec }, 'applier', { force: 'true' }),
});

/** What fits the schema of a custom type is stored as it is; what does not is refused by every way of writing it. */
export async function judgesCustom(context: RuleContext): Promise<void> {
  const { version, expect } = context;
  const things = await customType(context, limited);
  for (const spec of fitting) {
    const made = await things.post(things.sample({ spec }));
    expect(made.status, JSON.stringify(spec)).toBe(201);
    expect((await things.read(made.body.metadata.name)).spec, 'as stored').toEqual(spec);
  }
  const object = await things.create({ spec: { size: 5 } });
  for (const spec of unfit) await refusesSpec(context, things, object, spec);
  const sub = 'status';
  const ready = { status: { ready: 10 } };
  const refused = await things.put({ ...object, ...ready }, '', { sub });
  expect(refused.status, 'a status by update').toBe(422);
  // Releases from v1.28 on tell of it as if the status were the object.
  if (!heldFrom({ to: 27 }, version))
    expect(refused.body.details.causes[0].field, 'where it is wrong').toBe('status.ready');
  expect((await things.patch(object.metadata.name, ready, { sub })).status, 'a status by patch').toBe(422);
  expect(await things.read(object.metadata.name), 'what is stored').toEqual(object);
}

async function refusesSpec({ expect }: RuleContext, things: Collection, object: Json, spec: Json): Promise<void> {
  const what = JSON.stringify(spec);
  expect((await things.post({ ...things.sample(), spec })).status, `${what} by create`).toBe(422);
  for (const [write, send] of Object.entries(specChanges(things, object, spec))) {
    const { status } = await send();
    expect(status, `${what} by ${write}`).toBeGreaterThanOrEqual(400);
    // A genuine server takes a type that does not fit an applied configuration for a fault of its own.
    if (write !== 'apply') expect(status, `${what} by ${write}`).toBeLessThan(500);
  }
}
