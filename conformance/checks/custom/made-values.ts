import type { Json } from '../../verbs/json.ts';
import { type Case, few, flag, into, number, pair, shapesOf, span, text, time, whole } from './ruled-values.ts';
import { embedded, free, keyed, listOf, mapOf, setOf } from './schema-parts.ts';
import type { Shape } from './shape.ts';

const [early, late] = ['1970-01-01T00:01:00Z', '2020-02-03T04:05:06.789Z'];

const conversions: readonly Case[] = [
  [
    into(span, text),
    'string(self.a) == self.r',
    [
      { a: '1h', r: '3600s' },
      { a: '1.5s', r: '1.5s' },
    ],
    [{ a: '1h', r: '1h' }],
  ],
  [
    into(time, text),
    'string(self.a) == self.r',
    // In the zone that it was written in.
    [{ a: late, r: late }, ...['2020-01-01T01:02:03+01:30', '2020-01-01T01:02:03-05:00'].map((a) => ({ a, r: a }))],
    [{ a: late, r: early }],
  ],
  [into(number, text), 'string(self.a) == self.r', [{ a: 1.5, r: '1.5' }], [{ a: 1.5, r: '1' }]],
  [
    into(text, number),
    'double(self.a) == self.r',
    [
      { a: '1.5', r: 1.5 },
      { a: '1e2', r: 100 },
    ],
    [{ a: 'x', r: 1 }],
  ],
  [
    into(text, flag),
    'bool(self.a) == self.r',
    [{ a: 'false', r: false }],
    [
      { a: 'false', r: true },
      { a: '', r: false },
    ],
  ],
  [into(time, whole), 'int(self.a) == self.r', [{ a: early, r: 60 }], [{ a: early, r: 60000 }]],
  [whole, 'uint(self) > 5u', [6], [5, -1]],
  [text, `timestamp(self) > timestamp('${early}')`, [late], [early, 'x', '']],
  [text, "duration(self) == duration('1m')", ['60s', '1m'], ['61s', 'x', '']],
  [text, "bytes(self) == b'ab'", ['ab'], ['a', 'AB']],
  [text, 'size(bytes(self)) == 2', ['ab', 'ä'], ['a']],
];

const lists: readonly Case[] = [
  [mapOf(whole, { maxProperties: 6 }), "'x' in self", [{ x: 0 }], [{ y: 1 }, {}]],
  [listOf(whole, few), '1 in self', [[0, 1]], [[2], []]],
  [listOf(whole, few), 'self[1] == 2', [[1, 2]], [[2], [1, 3]]],
  [listOf(whole, few), 'size(self) == 2', [[1, 1]], [[1]]],
  [listOf(whole, few), 'self.sum() == 0', [[], [1, -1]], [[1]]],
  [listOf(text, few), 'self.isSorted()', [['a', 'b'], []], [['b', 'a']]],
  [text, "self.indexOf('b', 2) == 3", ['abab'], ['ab', 'abb']],
  [text, "self.split('') == ['a', 'b']", ['ab'], ['abc']],
  [text, "self.startsWith('ab') && self.endsWith('bc')", ['abc', 'abbc'], ['bc', 'ab']],
];

const entries = { ...keyed({ k: text, v: text }, ['k']), ...few };

/** Lists that are sets, or hold things by keys, are put together and compared as such. */
const merged: readonly Case[] = [
  [pair(setOf(text, few)), 'self.a == self.b', [{ a: ['x', 'y'], b: ['y', 'x'] }], [{ a: ['x'], b: ['y'] }]],
  [pair(setOf(whole, few)), 'size(self.a + self.b) == 2', [{ a: [1, 2], b: [2] }], [{ a: [1], b: [1] }]],
  // Objects of two lists are of two types.
  [into(entries, whole), 'size(self.a + self.a) == self.r', [{ a: [{ k: 'x' }], r: 1 }], [{ a: [{ k: 'x' }], r: 2 }]],
  [pair(listOf(whole, few)), 'self.a == self.b', [{ a: [1, 2], b: [1, 2] }], [{ a: [1, 2], b: [2, 1] }]],
];

const any = { apiVersion: 'v1', kind: 'Any' };
const called = (name: string): Json => ({ ...any, metadata: { name } });

/** Of an object within another a rule sees what it is and how it is called. */
const within: readonly Case[] = [
  [{ ...embedded, ...free }, "self.apiVersion == 'v1' && self.kind == 'Any'", [any], [{ ...any, kind: 'Other' }]],
  [{ ...embedded, ...free }, "has(self.metadata) && self.metadata.name == 'a'", [called('a')], [called('b'), any]],
];

/** What rules make of values: others of another type, parts of lists, and what is known of any object. */
export const madeValues: readonly Shape[] = shapesOf([conversions, lists, merged, within].flat());
