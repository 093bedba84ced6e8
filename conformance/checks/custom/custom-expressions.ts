import type { Json } from '../../verbs/json.ts';
import { type Case, few, flag, into, number, pair, shapesOf, span, text, time, whole } from './ruled-values.ts';
import { listOf as anyListOf, mapOf as anyMapOf, objectOf } from './schema-parts.ts';
import type { Shape } from './shape.ts';

const listOf = (items: Json): Json => anyListOf(items, few);
const mapOf = (values: Json): Json => anyMapOf(values, { maxProperties: 6 });

const comparisons: readonly Case[] = [
  [
    pair(whole),
    'self.a < self.b',
    [
      { a: 1, b: 2 },
      { a: -1, b: 0 },
    ],
    [
      { a: 2, b: 2 },
      { a: 3, b: 2 },
    ],
  ],
  [pair(whole), 'self.a <= self.b', [{ a: 2, b: 2 }], [{ a: 3, b: 2 }]],
  [
    pair(number),
    'self.a > self.b',
    [{ a: 3.5, b: 2 }],
    [
      { a: 2, b: 2 },
      { a: 1.5, b: 2 },
    ],
  ],
  [pair(number), 'self.a >= self.b', [{ a: 2, b: 2 }], [{ a: 1.5, b: 2 }]],
  [
    pair(text),
    'self.a < self.b',
    [
      { a: 'a', b: 'aa' },
      { a: 'B', b: 'a' },
    ],
    [
      { a: 'ä', b: 'z' },
      { a: 'b', b: 'b' },
    ],
  ],
  [
    pair(flag),
    'self.a <= self.b',
    [
      { a: false, b: true },
      { a: true, b: true },
    ],
    [{ a: true, b: false }],
  ],
  [pair(text), 'self.a == self.b', [{ a: '', b: '' }], [{ a: 'a', b: 'b' }]],
  [pair(flag), 'self.a != self.b', [{ a: true, b: false }], [{ a: true, b: true }]],
  [
    pair(time),
    'self.a == self.b',
    [{ a: '2020-01-01T00:00:00Z', b: '2020-01-01T01:00:00+01:00' }],
    [{ a: '2020-01-01T00:00:00Z', b: '2021-01-01T00:00:00Z' }],
  ],
  [pair(span), 'self.a == self.b', [{ a: '1h', b: '60m' }], [{ a: '1s', b: '2s' }]],
  [
    pair(span),
    'self.a >= self.b',
    [
      { a: '3s', b: '2s' },
      { a: '1h', b: '60m' },
    ],
    [{ a: '1s', b: '2s' }],
  ],
  [pair(mapOf(whole)), 'self.a == self.b', [{ a: { x: 1, y: 2 }, b: { y: 2, x: 1 } }], [{ a: { x: 1 }, b: { x: 2 } }]],
  [pair(flag), 'self.a && self.b', [{ a: true, b: true }], [{ a: true, b: false }, { a: false }, { b: false }]],
  [pair(flag), 'self.a || self.b', [{ a: true }, { b: true }], [{ a: false, b: false }, { a: false }]],
  [objectOf({ a: flag }), '!self.a', [{ a: false }], [{ a: true }]],
  [pair(whole), '-self.a == self.b', [{ a: 1, b: -1 }], [{ a: 1, b: 1 }]],
  [pair(whole), '(self.a > 0 ? self.b : 7) == 1', [{ a: 1, b: 1 }], [{ a: 0, b: 1 }]],
];

const sums: readonly Case[] = [
  [pair(whole), 'self.a + self.b == 9', [{ a: 6, b: 3 }], [{ a: 6, b: 4 }]],
  [pair(whole), 'self.a - self.b == 9', [{ a: 7, b: -2 }], [{ a: 7, b: 2 }]],
  [pair(whole), 'self.a * self.b == -14', [{ a: 7, b: -2 }], [{ a: 7, b: 2 }]],
  [pair(number), 'self.a / self.b == 3.0', [{ a: 1.5, b: 0.5 }], [{ a: 1.5, b: 1.5 }]],
  [whole, '10 / self > 1', [5], [0, 10]],
  [whole, '10 % self == 1', [3], [0, 5]],
  [whole, 'self + 9223372036854775807 > 0', [0], [1]],
  [pair(text), "self.a + self.b == 'xy'", [{ a: 'x', b: 'y' }], [{ a: 'y', b: 'x' }]],
  [pair(listOf(whole)), 'self.a + self.b == [1, 2]', [{ a: [1], b: [2] }], [{ a: [2], b: [1] }]],
  [listOf(whole), 'self.sum() == 3', [[1, 2]], [[1]]],
  [listOf(whole), 'self.min() == 1', [[2, 1]], [[2], []]],
  [listOf(text), "self.max() == 'b'", [['b', 'a']], [['c']]],
  [listOf(whole), 'self.indexOf(2) == 1', [[1, 2, 2]], [[2], []]],
  [listOf(whole), 'self.lastIndexOf(2) == 2', [[1, 2, 2]], [[2]]],
];

const collections: readonly Case[] = [
  [
    listOf(whole),
    'self.exists_one(x, x > 0)',
    [[1], [0, 1]],
    [
      [1, 2],
      [-1, 0],
    ],
  ],
  [listOf(whole), 'self.map(x, x * 2) == [2, 4]', [[1, 2]], [[2, 1], [1]]],
  [
    listOf(whole),
    'self.all(x, 1 / x > 0)',
    [[1], []],
    [
      [1, 2],
      [-1, 0],
    ],
  ],
  [
    listOf(whole),
    'self.exists(x, 1 / x > 0)',
    [
      [1, 2],
      [2, 1],
    ],
    [[]],
  ],
  [listOf(whole), 'self.filter(x, x % 2 == 0).size() == 1', [[1, 2]], [[1], []]],
  [mapOf(whole), "self.all(k, k.startsWith('a'))", [{ a: 1, ab: 2 }, {}], [{ a: 1, b: 1 }]],
  [mapOf(whole), 'self.exists(k, self[k] > 1)', [{ a: 1, ab: 2 }], [{ a: 1 }, {}]],
  [mapOf(whole), 'self.size() == 2', [{ a: 1, b: 1 }], [{ a: 1 }, {}]],
  [mapOf(whole), "self['x'] == 1", [{ x: 1 }], [{ x: 2 }, { y: 1 }]],
  [mapOf(whole), 'has(self.x)', [{ x: 1 }], [{ y: 1 }]],
  [objectOf({ a: objectOf({ b: whole }) }), 'has(self.a.b)', [{ a: { b: 0 } }], [{ a: {} }, {}]],
  [objectOf({ a: { ...whole, nullable: true } }), 'has(self.a)', [{ a: 1 }], [{ a: null }, {}]],
  [listOf(number), 'self.isSorted()', [[1.5, 2]], [[2, 1.5]]],
  [listOf(span), 'self.isSorted()', [['1s', '2s']], [['1m', '2s']]],
];

const words: readonly Case[] = [
  [text, 'size(self) == 3', ['abc', 'äöü', '😀😀😀'], ['ab', '']],
  [text, "self.contains('b')", ['abc'], ['ac', '']],
  [text, "self.matches('^a+$')", ['aa'], ['ab', 'baa']],
  [text, "self.charAt(1) == 'b'", ['abc'], ['a', '']],
  [text, "self.indexOf('b') == 1", ['abc', 'äb'], ['b', 'x']],
  [text, "self.lastIndexOf('b', 2) == 1", ['abcb'], ['x']],
  [text, "self.lowerAscii() == 'abÄ'", ['ABÄ'], ['abä']],
  [text, "self.upperAscii() == 'ABä'", ['abä'], ['ABÄ']],
  [text, "self.replace('a', 'x') == 'xbx'", ['aba'], ['b']],
  [text, "self.replace('a', 'x', 1) == 'xba'", ['aba'], ['xbx']],
  [text, "self.split(',') == ['a', 'b']", ['a,b'], ['a', 'a,b,c']],
  [text, "self.split(',', 2) == ['a', 'b,c']", ['a,b,c'], ['a,b']],
  [text, "self.substring(1) == 'bc'", ['abc'], ['']],
  [text, "self.substring(1, 2) == 'b'", ['abc', 'ab'], ['a']],
  [text, "self.trim() == 'a'", [' a ', '\ta\n'], ['a b']],
  [text, "self.find('[0-9]+') == '12'", ['a12b', '12 34'], ['ab', '']],
  [text, "self.findAll('[0-9]+') == ['1', '2']", ['a1b2'], ['1', '1 2 3']],
  [text, "self.findAll('[0-9]', 2) == ['1', '2']", ['123'], ['1']],
  [text, 'isURL(self)', ['https://example.com', '/a'], ['x', '']],
  [text, "url(self).getScheme() == 'https'", ['https://a:80/b'], ['http://a', '/a']],
  [text, "url(self).getHost() == 'a:80'", ['https://a:80/b'], ['https://a']],
  [text, "url(self).getHostname() == '::1'", ['http://[::1]:8080'], ['http://a']],
  [text, "url(self).getPort() == '80'", ['https://a:80/b'], ['https://a']],
  [text, "url(self).getEscapedPath() == '/a/b%20c'", ['https://a/a/b%20c?x=1'], ['https://a']],
  [text, "url(self).getQuery() == {'x': ['1', '2']}", ['/a?x=1&x=2'], ['/a?x=1']],
  [{ ...text, format: 'byte' }, "self == b'a'", ['YQ=='], ['Yg==']],
];

const conversions: readonly Case[] = [
  [
    into(text, whole),
    'int(self.a) == self.r',
    [{ a: '-3', r: -3 }],
    [
      { a: 'x', r: 1 },
      { a: '1.5', r: 1 },
    ],
  ],
  [
    into(number, whole),
    'int(self.a) == self.r',
    [
      { a: 1.5, r: 1 },
      { a: -1.5, r: -1 },
    ],
    [{ a: 2.9, r: 3 }],
  ],
  [into(whole, number), 'double(self.a) == self.r', [{ a: 1, r: 1 }], [{ a: 2, r: 1.5 }]],
  [into(whole, text), 'string(self.a) == self.r', [{ a: 1, r: '1' }], [{ a: -1, r: '1' }]],
  [into(flag, text), 'string(self.a) == self.r', [{ a: true, r: 'true' }], [{ a: true, r: 'false' }]],
  [into(text, flag), 'bool(self.a) == self.r', [{ a: 'true', r: true }], [{ a: 'x', r: true }]],
  [objectOf({ a: whole }), 'type(self.a) == int', [{ a: 1 }], []],
  [
    objectOf({ a: { 'x-kubernetes-int-or-string': true } }),
    "self.a == 'a' || self.a == 1",
    [{ a: 'a' }, { a: 1 }],
    [{ a: 2 }],
  ],
  [objectOf({ 'a-b': whole }), 'self.a__dash__b == 1', [{ 'a-b': 1 }], [{ 'a-b': 2 }]],
  [objectOf({ 'a.b/c': whole }), 'self.a__dot__b__slash__c == 1', [{ 'a.b/c': 1 }], [{ 'a.b/c': 2 }]],
  [objectOf({ in: whole }), 'self.__in__ == 1', [{ in: 1 }], [{ in: 2 }]],
];

const moment = '2020-02-03T04:05:06.789Z';
/** What a moment, and a span of time, say of themselves. */
const parts: readonly (readonly [schema: Json, given: string, method: string, result: number])[] = [
  [time, moment, 'getFullYear()', 2020],
  [time, moment, 'getMonth()', 1],
  [time, moment, 'getDayOfMonth()', 2],
  [time, moment, 'getDate()', 3],
  [time, moment, 'getDayOfYear()', 33],
  [time, moment, 'getDayOfWeek()', 1],
  [time, moment, 'getHours()', 4],
  [time, moment, "getHours('+02:00')", 6],
  [time, moment, "getMinutes('02:30')", 35],
  [time, moment, 'getSeconds()', 6],
  [time, moment, 'getMilliseconds()', 789],
  [span, '1h1m5.5s', 'getHours()', 1],
  [span, '1h1m5.5s', 'getMinutes()', 61],
  [span, '1h1m5.5s', 'getSeconds()', 3665],
];

const times: readonly Case[] = [
  ...parts.map(
    ([schema, a, method, r]): Case => [
      into(schema, whole),
      `self.a.${method} == self.r`,
      [{ a, r }],
      [{ a, r: r + 1 }],
    ],
  ),
  [
    time,
    "self + duration('1h') > timestamp('2020-01-01T01:00:00Z')",
    ['2020-01-01T00:00:01Z'],
    ['2020-01-01T00:00:00Z'],
  ],
  [
    time,
    "self - timestamp('2020-01-01T00:00:00Z') == duration('1h')",
    ['2020-01-01T01:00:00Z'],
    ['2020-01-01T00:00:00Z'],
  ],
  [span, "self + duration('1s') == duration('1m')", ['59s'], ['1s']],
  [{ ...text, format: 'date' }, 'self.getFullYear() == 2020', ['2020-05-05'], ['2021-01-01']],
];

/** What the language of rules can say, each with values that keep the rule and values that do not. */
export const expressions: readonly Shape[] = shapesOf(
  [comparisons, sums, collections, words, conversions, times].flat(),
);
