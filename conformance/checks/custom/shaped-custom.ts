import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { formats } from './custom-formats.ts';
import { embeddedObjects } from './embedded-objects.ts';
import { free, intOrString, keyed, listOf, mapOf, objectOf, setOf, text, whole } from './schema-parts.ts';
import type { Shape } from './shape.ts';

const nothing = undefined;

const ofTypes: readonly Shape[] = [
  { schema: text, kept: ['', '1'], stored: [[null, nothing]], refused: [1, true, [], {}] },
  { schema: whole, kept: [0, -1, 1e3], stored: [[null, nothing]], refused: ['1', 1.5, true, [], {}] },
  { schema: { type: 'number' }, kept: [0, 1.5], refused: ['1', true] },
  { schema: { type: 'boolean' }, kept: [true, false], stored: [[null, nothing]], refused: ['true', 0, {}] },
  { schema: listOf(text), kept: [[], ['a', 'a']], stored: [[null, nothing]], refused: ['a', {}, [1], [null]] },
  {
    schema: listOf(objectOf({ a: text })),
    kept: [[{}], [{ a: 'a' }, {}]],
    stored: [[[{ a: null, b: 1 }], [{}]]],
    refused: [[null], [{ a: 1 }], [{}, { a: 1 }], {}],
  },
  {
    schema: objectOf({ a: text, b: whole }),
    kept: [{}, { a: 'a', b: 1 }],
    stored: [[{ a: null, c: 1 }, {}]],
    refused: [[], 'a', { b: 'b' }],
  },
  {
    schema: mapOf(text),
    kept: [{}, { 'a/b': 'c', '': 'd' }],
    stored: [[{ a: null }, {}]],
    refused: [{ a: 1 }, [], 'a'],
  },
  { schema: mapOf(listOf(whole)), kept: [{ a: [] }, { a: [1] }], refused: [{ a: ['a'] }, { a: [null] }, { a: {} }] },
  {
    schema: mapOf(objectOf({ a: objectOf({ b: text }) })),
    stored: [[{ k: { a: { b: 'b', c: 1 }, d: 1 } }, { k: { a: { b: 'b' } } }]],
  },
  { schema: { type: 'object', additionalProperties: true }, kept: [{ a: 1 }], stored: [[{ a: { b: 1 } }, { a: {} }]] },
  { schema: { type: 'object' }, stored: [[{ a: 1 }, {}]], refused: ['a', []] },
  {
    schema: objectOf({ 'a.b': text, 'a/b': text, $x: text, ä: text }),
    kept: [{ 'a.b': 'a', 'a/b': 'b', $x: 'c', ä: 'd' }],
    refused: [{ 'a/b': 1 }, { $x: 1 }, { ä: 1 }],
  },
  { schema: intOrString, kept: [0, 1, '1', 'a'], stored: [[null, nothing]], refused: [1.5, true, [], {}] },
  { schema: { ...intOrString, allOf: [{ pattern: '^a' }] }, kept: [1, 'a'], refused: ['b'] },
  { schema: { ...intOrString, maximum: 5, maxLength: 2 }, kept: [5, 'ab'], refused: [6, 'abc'] },
  { schema: listOf(intOrString), kept: [[1, 'a']], refused: [[1.5], [true], [null]] },
  { schema: free, kept: [1, 'a', [1, {}], { a: { b: [1] } }] },
  {
    schema: objectOf({ a: objectOf({ b: text }), c: objectOf({ d: text }, free) }, free),
    kept: [{ x: { y: 1 } }, { c: { x: 1 } }],
    stored: [[{ a: { x: 1 } }, { a: {} }]],
    refused: [{ a: { b: 1 } }, { c: { d: 1 } }],
  },
];

const ofLists: readonly Shape[] = [
  {
    schema: setOf(text),
    kept: [[], ['a', 'b']],
    refused: [
      ['a', 'a'],
      ['a', 'b', 'a'],
      ['a', null],
    ],
  },
  { schema: setOf(whole), kept: [[0, 1]], refused: [[0, 0]] },
  { schema: setOf({ type: 'boolean' }), kept: [[true, false]], refused: [[true, true]] },
  { schema: setOf(intOrString), kept: [[1, '1']], refused: [[1, 1]] },
  {
    schema: setOf(objectOf({ a: text }, { 'x-kubernetes-map-type': 'atomic' })),
    kept: [[{ a: 'a' }, { a: 'b' }]],
    refused: [
      [{ a: 'a' }, { a: 'a' }],
      [{}, {}],
    ],
  },
  {
    schema: setOf(listOf(text, { 'x-kubernetes-list-type': 'atomic' })),
    kept: [[['a'], ['b']]],
    refused: [[['a'], ['a']]],
  },
  { schema: listOf(text, { 'x-kubernetes-list-type': 'atomic' }), kept: [['a', 'a']] },
  {
    schema: keyed({ k: text, v: text }, ['k']),
    kept: [
      [],
      [
        { k: 'a', v: 'c' },
        { k: 'b', v: 'c' },
      ],
    ],
    refused: [
      [
        { k: 'a', v: 'c' },
        { k: 'a', v: 'd' },
      ],
      [{ v: 'c' }],
      [{ k: '' }, { k: '' }],
    ],
  },
  {
    schema: keyed({ k: text, p: whole, v: text }, ['k', 'p']),
    kept: [
      [
        { k: 'a', p: 1 },
        { k: 'a', p: 2 },
        { k: 'b', p: 1 },
      ],
    ],
    refused: [
      [
        { k: 'a', p: 1 },
        { k: 'a', p: 1, v: 'c' },
      ],
      [{ k: 'a' }],
    ],
  },
  {
    schema: keyed({ k: text, p: { ...text, default: 'TCP' } }, ['k'], ['k', 'p']),
    stored: [
      [
        [{ k: 'a' }, { k: 'a', p: 'UDP' }],
        [
          { k: 'a', p: 'TCP' },
          { k: 'a', p: 'UDP' },
        ],
      ],
    ],
    refused: [[{ k: 'a' }, { k: 'a', p: 'TCP' }]],
  },
  { schema: keyed({ k: intOrString }, ['k']), kept: [[{ k: 1 }, { k: '1' }]], refused: [[{ k: 1 }, { k: 1 }]] },
  {
    schema: keyed({ k: text, inner: keyed({ n: text }, ['n']) }, ['k']),
    kept: [
      [
        { k: 'a', inner: [{ n: 'x' }] },
        { k: 'b', inner: [{ n: 'x' }] },
      ],
    ],
    refused: [[{ k: 'a', inner: [{ n: 'x' }, { n: 'x' }] }]],
  },
];

const ofLimits: readonly Shape[] = [
  { schema: { ...text, nullable: true }, kept: [null, 'a'], refused: [1] },
  { schema: listOf(text, { nullable: true }), kept: [null, []], refused: [[null]] },
  { schema: listOf({ ...text, nullable: true }), kept: [[null]], refused: [['a', null, 1]] },
  { schema: objectOf({ a: { ...text, nullable: true } }, { required: ['a'] }), kept: [{ a: null }], refused: [{}] },
  { schema: objectOf({ a: text }, { required: ['a'] }), kept: [{ a: '' }], refused: [{}, { a: null }] },
  { schema: { ...whole, nullable: true, minimum: 1 }, kept: [null, 1], refused: [0] },
  { schema: { ...text, nullable: true, enum: ['a'] }, kept: ['a'], refused: ['b', null] },
  { schema: { ...text, enum: ['a', 'b'] }, kept: ['a', 'b'], stored: [[null, nothing]], refused: ['A', ''] },
  { schema: { ...whole, enum: [1, 2] }, kept: [1], refused: [3, '1'] },
  { schema: { type: 'boolean', enum: [true] }, kept: [true], refused: [false] },
  { schema: objectOf({ a: text }, { enum: [{ a: 'a' }] }), kept: [{ a: 'a' }], refused: [{ a: 'b' }] },
  { schema: { ...text, pattern: '^a+$' }, kept: ['a', 'aa'], refused: ['', 'b', 'a\n'] },
  { schema: { ...text, pattern: '^\\p{Lu}$' }, kept: ['Ä'], refused: ['a'] },
  { schema: { ...text, pattern: '(?i)^abc$' }, kept: ['ABC'], refused: ['abd'] },
  { schema: { ...text, pattern: '^[[:alpha:]]+$' }, kept: ['ab'], refused: ['a1'] },
  // What takes two places in UTF-16 is one letter.
  { schema: { ...text, minLength: 2, maxLength: 2 }, kept: ['ab', '🐢🐢'], refused: ['a', '🐢', 'abc', '🐢🐢🐢'] },
  { schema: { ...whole, minimum: 2, maximum: 3 }, kept: [2, 3], refused: [1, 4, -5] },
  { schema: { ...whole, minimum: 2, exclusiveMinimum: true }, kept: [3], refused: [2] },
  { schema: { ...whole, maximum: 2, exclusiveMaximum: true }, kept: [1], refused: [2] },
  { schema: { type: 'number', maximum: 0 }, kept: [0, -0.1], refused: [0.1] },
  { schema: { ...whole, multipleOf: 3 }, kept: [0, 3, -6], refused: [4] },
  // A remainder of fractions is hardly ever nothing.
  { schema: { type: 'number', multipleOf: 0.1 }, kept: [0.3, -0.7], refused: [0.35] },
  { schema: listOf(text, { minItems: 1, maxItems: 2 }), kept: [['a'], ['a', 'b']], refused: [[], ['a', 'b', 'c']] },
  {
    schema: { ...mapOf(text), minProperties: 1, maxProperties: 1 },
    kept: [{ a: 'a' }],
    refused: [{}, { a: 'a', b: 'b' }],
  },
  { schema: { ...whole, allOf: [{ minimum: 1 }, { maximum: 3 }] }, kept: [1, 3], refused: [0, 4] },
  { schema: { ...text, anyOf: [{ pattern: '^a' }, { maxLength: 1 }] }, kept: ['ab', 'b', 'a'], refused: ['bc'] },
  { schema: { ...text, oneOf: [{ pattern: '^a' }, { maxLength: 1 }] }, kept: ['ab', 'b'], refused: ['a', 'bc'] },
  { schema: { ...text, not: { pattern: '^a' } }, kept: ['b'], refused: ['a'] },
  {
    schema: { ...text, anyOf: [{ pattern: 'a' }, { pattern: 'b' }], not: { pattern: 'c' } },
    kept: ['a', 'ab'],
    refused: ['bc', 'd'],
  },
  {
    schema: objectOf({ a: whole, b: text }, { allOf: [{ properties: { a: { minimum: 2 } } }, { required: ['b'] }] }),
    kept: [{ a: 2, b: 'b' }],
    refused: [{ a: 1, b: 'b' }, { a: 2 }],
  },
  { schema: listOf(text, { allOf: [{ items: { maxLength: 1 } }] }), kept: [['a']], refused: [['ab']] },
  {
    schema: { ...whole, anyOf: [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, { not: { maximum: 10 } }] },
    kept: [1, 11],
    refused: [5],
  },
];

/** Values of these are there where nothing is given: each is looked at alone. */
const ofDefaults: readonly Shape[] = [
  {
    schema: objectOf({ a: { ...text, default: 'x' } }),
    kept: [{ a: 'y' }],
    stored: [
      [{}, { a: 'x' }],
      [null, nothing],
    ],
  },
  {
    schema: objectOf({
      a: { ...text, default: 'x' },
      b: { type: 'boolean', default: true },
      c: { ...whole, default: 7 },
    }),
    kept: [{ a: '', b: false, c: 0 }],
  },
  {
    schema: listOf(objectOf({ a: { ...text, default: 'x' } })),
    stored: [
      [
        [{ a: 'y' }, {}],
        [{ a: 'y' }, { a: 'x' }],
      ],
    ],
  },
  { schema: mapOf(objectOf({ a: { ...text, default: 'x' } })), stored: [[{ k: {} }, { k: { a: 'x' } }]] },
  { schema: mapOf({ ...text, default: 'x' }), kept: [{ k: 'y' }], stored: [[{ k: null }, { k: 'x' }]] },
  {
    schema: listOf({ ...text, default: 'x' }),
    stored: [
      [
        ['a', null],
        ['a', 'x'],
      ],
    ],
  },
  {
    schema: objectOf({ a: { ...text, nullable: true, default: 'x' } }),
    kept: [{ a: null }],
    stored: [[{}, { a: 'x' }]],
  },
  {
    schema: objectOf({ a: { ...intOrString, default: 1 }, b: { ...intOrString, default: '1' } }),
    stored: [[{}, { a: 1, b: '1' }]],
  },
  {
    schema: objectOf({ a: { type: 'boolean', default: false }, b: { ...text, default: '' } }),
    stored: [[{}, { a: false, b: '' }]],
  },
  { schema: objectOf({ a: { ...listOf(text), default: [] } }), stored: [[{}, { a: [] }]] },
  { schema: objectOf({ a: { ...free, default: { b: [1] } } }), stored: [[{}, { a: { b: [1] } }]] },
  {
    schema: objectOf({ a: { ...text, enum: ['a', 'b'], default: 'a' } }),
    stored: [[{ a: null }, { a: 'a' }]],
    refused: [{ a: 'c' }],
  },
];

/** Every construct of a schema. */
export const shapes: readonly Shape[] = [
  ...ofTypes,
  ...ofLists,
  ...ofLimits,
  ...ofDefaults,
  ...embeddedObjects,
  ...formats,
];

/** A custom type takes what fits its schema as it is, drops what it does not know, and refuses the rest. */
export async function judgesShapes(context: RuleContext, shapes: readonly Shape[]): Promise<void> {
  const { expect } = context;
  const name = (at: number): string => `p${at}`;
  const properties = Object.fromEntries(shapes.map(({ schema }, at) => [name(at), schema]));
  const things = await customType(context, { spec: objectOf(properties) });
  const answerTo = (at: number, given: Json) =>
    things.post(things.sample({ spec: { [name(at)]: given } }), { dryRun: 'All' });
  for (const [at, { schema, kept = [], stored = [], refused = [] }] of shapes.entries()) {
    const what = (given: Json): string => `${JSON.stringify(given)} by ${JSON.stringify(schema)}`;
    for (const [given, shown] of [...kept.map((each) => [each, each] as const), ...stored]) {
      const answer = await answerTo(at, given);
      expect(answer.status, `${what(given)}: ${said(answer)}`).toBe(201);
      expect(answer.body?.spec?.[name(at)], what(given)).toEqual(shown);
    }
    for (const given of refused) expect((await answerTo(at, given)).status, what(given)).toBe(422);
  }
}
