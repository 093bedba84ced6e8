import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { specChanges } from './judged-custom.ts';
import { judgesWholes } from './ruled-wholes.ts';
import { keyed } from './schema-parts.ts';

const text = { type: 'string', maxLength: 32 };
const whole = { type: 'integer' };
const listOf = (items: Json, more: Json = {}): Json => ({ type: 'array', maxItems: 8, items, ...more });
const ruled = (schema: Json, rule: string, message?: string): Json => ({
  ...schema,
  'x-kubernetes-validations': [{ rule, ...(message ? { message } : {}) }],
});

/** Expressions of many forms, each with a value that keeps it and one that does not. */
const expressions: Readonly<Record<string, readonly [schema: Json, fitting: Json, unfit: Json]>> = {
  all: [ruled(listOf(whole), 'self.all(x, x > 0)'), [1, 2], [1, 0]],
  exists: [ruled(listOf(whole), 'self.exists(x, x == 7)'), [1, 7, 7], [1]],
  only: [ruled(listOf(whole), 'self.exists_one(x, x == 7)'), [1, 7], [7, 7]],
  filtered: [ruled(listOf(whole), 'self.filter(x, x > 5).size() < 2'), [1, 6], [6, 7]],
  sorted: [ruled(listOf(whole), 'self.isSorted()'), [1, 1, 2], [2, 1]],
  sized: [ruled(text, 'size(self) <= 3'), 'äöü', 'abcd'],
  begins: [ruled(text, "self.startsWith('a') && !self.endsWith('z')"), 'ab', 'az'],
  matches: [ruled(text, "self.matches('[0-9]')"), 'a1b', 'ab'],
  one: [ruled(text, "self in ['red', 'blue']"), 'blue', 'green'],
  has: [
    ruled({ type: 'object', properties: { a: text, b: text } }, 'has(self.a) != has(self.b)'),
    { b: '' },
    { a: '', b: '' },
  ],
  keys: [
    ruled({ type: 'object', maxProperties: 4, additionalProperties: whole }, "self.all(k, k == 'a' || self[k] > 1)"),
    { a: 0, b: 2 },
    { b: 1 },
  ],
  later: [
    ruled(
      { type: 'object', properties: { from: { ...text, format: 'date-time' }, to: { ...text, format: 'date-time' } } },
      'self.from < self.to',
    ),
    { from: '2024-05-06T07:08:09Z', to: '2024-05-06T07:08:09.5Z' },
    { from: '2024-05-06T07:08:09Z', to: '2024-05-06T08:08:09+02:00' },
  ],
  either: [ruled(whole, 'self < 0 ? self == -1 : self % 2 == 0'), -1, 3],
};

const told = 'from is at most to';
const rising = ruled(whole, 'self >= oldSelf', 'it fell');
const grows = ruled(
  { type: 'object', required: ['key'], properties: { key: text, value: rising } },
  "self.key != 'none'",
);

const spec = ruled(
  {
    type: 'object',
    properties: {
      ...{ from: whole, to: whole },
      ...Object.fromEntries(Object.entries(expressions).map(([name, [schema]]) => [name, schema])),
      number: rising,
      numbers: { type: 'object', maxProperties: 4, additionalProperties: rising },
      items: listOf(grows, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['key'] }),
      same: ruled({ ...keyed({ key: text, value: whole }, ['key']), maxItems: 8 }, 'self == oldSelf', 'it fell'),
      cells: { ...keyed({ row: text, column: text, value: rising }, ['row', 'column']), maxItems: 8 },
    },
  },
  '!has(self.from) || !has(self.to) || self.from <= self.to',
  told,
);

const item = (key: string, value: number): Json => ({ key, value });

const items = [item('a', 1), item('b', 5)];
const numbers = { a: 1, b: 5 };
const cell = (row: string, column: string, value: number): Json => ({ row, column, value });
const cells = [cell('a', 'x', 1), cell('a', 'y', 5)];

/** What may follow on what, and what may not: an item is compared with the one of its key, and so is the value of a map. */
const changes: readonly (readonly [what: string, before: Json, after: Json, 200 | 422])[] = [
  ['in another order', { items }, { items: [item('b', 5), item('a', 2)] }, 200],
  ['with one before them', { items }, { items: [item('c', 0), item('a', 2), item('b', 5)] }, 200],
  ['with one of them less', { items }, { items: [item('b', 5)] }, 200],
  ['lower', { items }, { items: [item('a', 3), item('b', 4)] }, 422],
  ['lower in another order', { items }, { items: [item('b', 1), item('a', 5)] }, 422],
  ['of two keys, in another order', { cells }, { cells: [cell('a', 'y', 5), cell('a', 'x', 2)] }, 200],
  ['of two keys, with one that shares the first', { cells }, { cells: [cell('a', 'z', 0), ...cells] }, 200],
  ['the same in another order', { same: items }, { same: items.toReversed() }, 200],
  ['the same but for a value', { same: items }, { same: [item('a', 1), item('b', 6)] }, 422],
  ['the same and one more', { same: items }, { same: [...items, item('c', 1)] }, 422],
  ['of two keys, lower', { cells }, { cells: [cell('a', 'x', 6), cell('a', 'y', 4)] }, 422],
  ['a number that rises', { number: 1 }, { number: 2 }, 200],
  ['a number that falls', { number: 1 }, { number: 0 }, 422],
  ['a number that there was not', {}, { number: 0 }, 200],
  ['a map with one more', { numbers }, { numbers: { ...numbers, c: 0 } }, 200],
  ['a value of a map that falls', { numbers }, { numbers: { a: 2, b: 4 } }, 422],
];

/** A status is judged by its rules when it is written, through the door of its own as well. */
async function judgesStatus(context: RuleContext): Promise<void> {
  const { expect } = context;
  const status = { type: 'object', properties: { number: rising } };
  const things = await customType(context, { status, version: { subresources: { status: {} } } });
  const { name } = (await things.create()).metadata;
  const write = (number: number) => things.patch(name, { status: { number } }, { sub: 'status' });
  expect((await write(2)).status, 'a status that there was not').toBe(200);
  const fallen = await write(1);
  expect(fallen.status, 'a status that falls').toBe(422);
  expect(fallen.body.message, 'a status that falls').toContain('it fell');
}

/** Rules about changes are asked what was there before, by every way of changing it. */
async function judgesChanges(things: Collection, expect: RuleContext['expect']): Promise<void> {
  for (const [what, before, after, status] of changes)
    for (const write of ['update', 'merge patch', 'JSON patch', 'apply'] as const) {
      const object = await things.create({ spec: before });
      const answer = await specChanges(things, object, after)[write]?.();
      expect(answer?.status, `${what}, by ${write}: ${answer && said(answer)}`).toBe(status);
      if (status === 422) expect(answer?.body.message, `${what}, by ${write}`).toContain('it fell');
    }
}

/** The rules that a custom type has for its values are judged by every write, and told in their own words. */
export async function judgesRules(context: RuleContext): Promise<void> {
  const { expect } = context;
  const things = await customType(context, { spec });
  for (const [name, [, fitting, unfit]] of Object.entries(expressions)) {
    const answer = await things.post(things.sample({ spec: { [name]: fitting } }));
    expect(answer.status, `${name}: ${said(answer)}`).toBe(201);
    expect((await things.post(things.sample({ spec: { [name]: unfit } }))).status, `not ${name}`).toBe(422);
  }
  const refused = await things.post(things.sample({ spec: { from: 2, to: 1 } }));
  expect(refused.status, 'what breaks a rule of the whole').toBe(422);
  expect(refused.body.message, 'what breaks a rule of the whole').toContain(told);
  const unread = await things.post(things.sample({ spec: { from: 2, to: 1, sized: 7 } }));
  expect(unread.status, 'what breaks a rule and is of another type').toBe(422);
  expect(unread.body.message, 'a rule where something is of another type').not.toContain(told);
  await judgesChanges(things, expect);
  await judgesStatus(context);
  await judgesWholes(context);
}
