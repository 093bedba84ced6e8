import type { Json } from '../../../verbs/client.ts';
import { dryBeside } from '../story.ts';
import { type TypeStory, version } from './type-story.ts';

/** What a field may have to be, and values of it, the first a good one. One demand of each: another would hide it. */
const demands: readonly { readonly schema: Json; readonly values: readonly Json[] }[] = [
  {
    schema: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    values: [['a'], ['a', 'a'], ['a', 'a', 'a']],
  },
  {
    schema: {
      ...{ type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k', 'l'] },
      items: {
        type: 'object',
        required: ['k'],
        properties: { k: { type: 'string' }, l: { type: 'integer', default: 1 }, v: { type: 'string' } },
      },
    },
    values: [[{ k: 'a' }, { k: 'a', l: 2 }], [{ k: 'a' }, { k: 'a', l: 1 }], [{ l: 1 }]],
  },
  { schema: { type: 'string', default: 'd' }, values: ['x', null] },
  { schema: { type: 'string', nullable: true, default: 'd' }, values: ['x', null] },
  { schema: { type: 'string', nullable: true }, values: ['x', null] },
  { schema: { type: 'integer', nullable: true, minimum: 2, exclusiveMinimum: true }, values: [3, 2, null] },
  { schema: { type: 'number', maximum: 2, exclusiveMaximum: true }, values: [1.5, 2, 2.5] },
  { schema: { type: 'number', minimum: 1, exclusiveMinimum: true }, values: [1.5, 1, 0.5] },
  { schema: { type: 'integer', maximum: 2 }, values: [2, 3] },
  { schema: { type: 'integer', minimum: 2 }, values: [2, 1] },
  { schema: { type: 'number', multipleOf: 0.5 }, values: [1.5, 1.2] },
  { schema: { type: 'integer', multipleOf: 3 }, values: [6, 7] },
  { schema: { type: 'string', minLength: 2, maxLength: 3 }, values: ['ab', 'a', 'abcd', 'äöü', '😀😀😀', '😀'] },
  { schema: { type: 'string', pattern: '^a+$' }, values: ['aa', 'b'] },
  { schema: { type: 'string', enum: ['a', 'b'] }, values: ['a', 'c'] },
  { schema: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'integer' } }, values: [[1], [], [1, 2, 3]] },
  {
    schema: { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: { type: 'string' } },
    values: [{ a: 'x' }, {}, { a: 'x', b: 'y', c: 'z' }],
  },
  {
    schema: {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string' }, b: { default: 5, type: 'integer' } },
    },
    values: [{ a: 'x', none: 1 }, { b: 6 }, {}],
  },
  { schema: { type: 'integer', not: { enum: [3] } }, values: [2, 3] },
  { schema: { type: 'integer', anyOf: [{ minimum: 8 }, { maximum: 2 }] }, values: [9, 5] },
  { schema: { type: 'integer', allOf: [{ minimum: 2 }, { maximum: 8 }] }, values: [5, 9] },
  { schema: { 'x-kubernetes-int-or-string': true }, values: ['5%', 5, 1.5] },
  { schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, values: [{ any: 1 }, 'x'] },
  {
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    values: [{ apiVersion: 'v1', kind: 'Any', metadata: { name: 'a', none: 1 } }, { apiVersion: 'v1' }],
  },
];

const rule = (text: string): Json => ({ 'x-kubernetes-validations': [{ rule: text, message: text }] });

/** What it has to be next to what it was: each is stored with its first value, and then gets the others. */
const followers: typeof demands = [
  { schema: { type: 'integer', ...rule('self >= oldSelf') }, values: [5, 6, 4] },
  { schema: { type: 'string', maxLength: 9, ...rule('self == oldSelf') }, values: ['x', 'y'] },
  {
    schema: { type: 'array', maxItems: 5, items: { type: 'string' }, ...rule('self.size() >= oldSelf.size()') },
    values: [['a'], []],
  },
  {
    schema: {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 9 } },
      ...rule('!has(oldSelf.a) || has(self.a)'),
    },
    values: [{ a: 'x' }, {}, { a: 'y' }],
  },
];

interface Place {
  readonly around: (properties: Json) => Json;
  readonly holding: (members: Json) => Json;
  /** Whether what is there can be told to follow from what was there. */
  readonly follows: boolean;
}

/** Where a field may be: what holds for it outside holds for it within. */
const places: Readonly<Record<string, Place>> = {
  struct: {
    around: (properties) => ({ type: 'object', properties }),
    holding: (members) => members,
    follows: true,
  },
  entries: {
    around: (properties) => ({ type: 'array', maxItems: 3, items: { type: 'object', properties } }),
    holding: (members) => [{}, members],
    follows: false,
  },
  keyed: {
    around: (properties) => ({
      ...{ type: 'array', maxItems: 3, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, ...properties } },
    }),
    holding: (members) => [{ name: 'one' }, { name: 'two', ...members }],
    follows: true,
  },
  map: {
    around: (properties) => ({
      type: 'object',
      maxProperties: 3,
      additionalProperties: { type: 'object', properties },
    }),
    holding: (members) => ({ one: {}, two: members }),
    follows: true,
  },
};

/** The fields of all demands, and in turn their values: those of number `at`, or the last that there are. */
const together = (all: typeof demands): Json => Object.fromEntries(all.map(({ schema }, at) => [`f${at}`, schema]));

const valuesAt = (all: typeof demands, at: number): Json =>
  Object.fromEntries(all.map(({ values }, place) => [`f${place}`, values[Math.min(at, values.length - 1)]]));

const mostValues = 4;

/** Every demand at every place: the good values of all, each other value of all at once, and of each alone. */
export function placed(at: TypeStory): void {
  const properties = Object.entries(places).map(([name, { around }]) => [name, around(together(demands))]);
  at.define([version('v1', { storage: true, properties: Object.fromEntries(properties) })]);
  at.await('v1');
  for (const [name, { holding }] of Object.entries(places)) {
    for (let turn = 0; turn < mostValues; turn++)
      at.create('v1', 'some', { [name]: holding(valuesAt(demands, turn)) }, dryBeside);
    for (const [place, { values }] of demands.entries())
      for (const value of values.slice(1))
        at.create('v1', 'some', { [name]: holding({ [`f${place}`]: value }) }, dryBeside);
  }
}

/** What was stored becomes something else, at every place, by each way to write it. */
export function following(at: TypeStory): void {
  const open = Object.entries(places).filter(([, { follows }]) => follows);
  const properties = open.map(([name, { around }]) => [name, around(together(followers))]);
  const specOf = (turn: number): Json =>
    Object.fromEntries(open.map(([name, { holding }]) => [name, holding(valuesAt(followers, turn))]));
  at.define([version('v1', { storage: true, properties: Object.fromEntries(properties) })]);
  at.await('v1');
  const stored = at.create('v1', 'a', specOf(0));
  for (const turn of [0, 1, 2]) {
    at.put('v1', 'a', stored, { spec: specOf(turn) }, '', dryBeside);
    at.patch('v1', 'a', 'merge', { spec: specOf(turn) }, '', dryBeside);
    at.patch('v1', 'a', 'json', [{ op: 'replace', path: '/spec', value: specOf(turn) }], '', dryBeside);
  }
  for (const [name, { holding }] of open)
    for (const [place, { values }] of followers.entries())
      for (const value of values.slice(1))
        at.patch('v1', 'a', 'merge', { spec: { [name]: holding({ [`f${place}`]: value }) } }, '', dryBeside);
}
