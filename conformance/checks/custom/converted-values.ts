import type { Json } from '../../verbs/json.ts';
import { type Case, flag, into, number, span, text, time, whole } from './ruled-values.ts';
import { objectOf } from './schema-parts.ts';

/** Values of one type that become values of another, and names that the language has for itself. */
export const conversions: readonly Case[] = [
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
  [into(text, text), 'string(self.a) == self.r', [{ a: '1', r: '1' }], [{ a: '1', r: '2' }]],
  [into(number, text), 'string(self.a) == self.r', [{ a: 1.5, r: '1.5' }], [{ a: 1.5, r: '1' }]],
  [into(span, text), 'string(self.a) == self.r', [{ a: '1h', r: '3600s' }], [{ a: '1h', r: '1h' }]],
  [
    into(time, text),
    'string(self.a) == self.r',
    [{ a: '2020-01-01T00:00:00Z', r: '2020-01-01T00:00:00Z' }],
    [{ a: '2020-01-01T00:00:00Z', r: '2020-01-01T00:00:01Z' }],
  ],
  [
    into(time, whole),
    'int(self.a) == self.r',
    [{ a: '1970-01-01T00:01:00Z', r: 60 }],
    [{ a: '1970-01-01T00:01:00Z', r: 1 }],
  ],
  [into(text, number), 'double(self.a) == self.r', [{ a: '1.5', r: 1.5 }], [{ a: 'x', r: 1 }]],
  [
    into(text, time),
    'timestamp(self.a) == self.r',
    [{ a: '2020-01-01T00:00:00Z', r: '2020-01-01T00:00:00Z' }],
    [{ a: 'x', r: '2020-01-01T00:00:00Z' }],
  ],
  [into(text, span), 'duration(self.a) == self.r', [{ a: '60m', r: '1h' }], [{ a: 'x', r: '1h' }]],
  [whole, 'uint(self) == 3u', [3], [4, -1]],
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

/** Moments and spans of time. */
export const times: readonly Case[] = [
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
