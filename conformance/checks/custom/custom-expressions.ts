import type { Json } from '../../verbs/json.ts';
import { conversions, times } from './converted-values.ts';
import { type Case, few, flag, number, pair, shapesOf, span, text, time, whole } from './ruled-values.ts';
import { listOf as anyListOf, mapOf as anyMapOf, objectOf, setOf } from './schema-parts.ts';
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

const someSet = setOf(text, few);

/** Lists in which the order of items says nothing: they are equal in any, and put together without anything twice. */
const unordered: readonly Case[] = [
  [pair(someSet), 'self.a == self.b', [{ a: ['x', 'y'], b: ['y', 'x'] }], [{ a: ['x'], b: ['x', 'y'] }]],
  [
    pair(someSet),
    '(self.a + self.b).size() == 2',
    [
      { a: ['x'], b: ['x', 'y'] },
      { a: ['x', 'y'], b: [] },
    ],
    [{ a: ['x'], b: ['y', 'z'] }],
  ],
];

/** How often at most, of which none is not any number, and less than none is. */
const limits: readonly Case[] = [
  [text, "self.replace('a', 'x', 0) == 'aba'", ['aba'], ['xbx']],
  [text, "self.replace('a', 'x', -1) == 'xbx'", ['aba'], ['b']],
  [text, "self.split(',', 0).size() == 0 && self != ''", ['a,b', 'a'], ['']],
  [text, "self.split(',', 1) == ['a,b']", ['a,b'], ['a']],
  [text, "self.split(',', -1) == ['a', 'b', 'c']", ['a,b,c'], ['a,b']],
  [text, "self.findAll('[0-9]', 0).size() == 0 && self != ''", ['123', 'a'], ['']],
  [text, "self.findAll('[0-9]', 1) == ['1']", ['123', 'a1'], ['a', '23']],
  [text, "self.findAll('[0-9]', -1) == ['1', '2', '3']", ['123'], ['12']],
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
  ...limits,
  [text, "self.substring(1) == 'bc'", ['abc'], ['']],
  [text, "self.substring(1, 2) == 'b'", ['abc', 'ab'], ['a']],
  // What ends beyond the text is none of it.
  [text, "self.substring(0, 2) != 'x'", ['abc', 'ab'], ['a', '']],
  [text, "self.charAt(2) != 'x'", ['abc', 'ab'], ['a', 'abx']],
  [text, "self.trim() == 'a'", [' a ', '\ta\n'], ['a b']],
  [text, "self.find('[0-9]+') == '12'", ['a12b', '12 34'], ['ab', '']],
  [text, "self.findAll('[0-9]+') == ['1', '2']", ['a1b2'], ['1', '1 2 3']],
  [text, "self.findAll('[0-9]', 2) == ['1', '2']", ['123'], ['1']],
  [text, 'isURL(self)', ['https://example.com', '/a', '/a b', 'http://[::1]:80'], ['x', '', 'http://a:b', '/%zz']],
  [text, "url(self).getScheme() == 'https'", ['https://a:80/b', 'HTTPS://a'], ['http://a', '/a']],
  [text, "url(self).getHost() == 'a:80'", ['https://a:80/b'], ['https://a']],
  [text, "url(self).getHostname() == '::1'", ['http://[::1]:8080'], ['http://a']],
  [text, "url(self).getPort() == '80'", ['https://a:80/b'], ['https://a']],
  [text, "url(self).getEscapedPath() == '/a/b%20c'", ['https://a/a/b%20c?x=1', '/a/b%20c#d', '/a/b c'], ['https://a']],
  [text, "url(self).getQuery() == {'x': ['1', '2']}", ['/a?x=1&x=2', '/a?x=1&x=2#y'], ['/a?x=1']],
  [{ ...text, format: 'byte' }, "self == b'a'", ['YQ=='], ['Yg==']],
];

/** What the language of rules can say, each with values that keep the rule and values that do not. */
export const expressions: readonly Shape[] = shapesOf(
  [comparisons, sums, collections, unordered, words, conversions, times].flat(),
);
