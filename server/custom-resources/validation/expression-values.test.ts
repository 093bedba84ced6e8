import { describe, expect, it } from 'vitest';
import { FieldPath } from '../../base/field-path.ts';
import type { Json } from '../../base/kube-object.ts';
import { atOnce } from '../../base/turns/work.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { validateRules } from '../schemas/expressions.ts';
import { compileRules } from './expression-rules.ts';

const integer: JsonSchema = { type: 'integer' };
const pair: JsonSchema = { type: 'object', properties: { a: integer, b: integer }, 'x-kubernetes-map-type': 'atomic' };
const setOf = (items: JsonSchema): JsonSchema => ({ type: 'array', 'x-kubernetes-list-type': 'set', items });

const schema: JsonSchema = {
  type: 'object',
  properties: {
    i: integer,
    n: { type: 'number' },
    s: { type: 'string' },
    no: { type: 'string' },
    b: { type: 'boolean' },
    time: { type: 'string', format: 'date-time' },
    wait: { type: 'string', format: 'duration' },
    raw: { type: 'string', format: 'byte' },
    numbers: setOf({ type: 'number' }),
    flags: setOf({ type: 'boolean' }),
    pairs: setOf(pair),
    lists: setOf({ type: 'array', 'x-kubernetes-list-type': 'atomic', items: integer }),
    times: setOf({ type: 'string', format: 'date-time' }),
    raws: setOf({ type: 'string', format: 'byte' }),
  },
};

const sample: Json = {
  i: 5,
  n: 2.5,
  s: 't',
  no: 'False',
  b: true,
  time: '2020-02-03T04:05:06Z',
  wait: '90s',
  raw: 'aGk=',
  numbers: [1, 2.5],
  flags: [true, false],
  pairs: [
    { a: 1, b: 2 },
    { a: 3, b: 4 },
  ],
  lists: [[1, 2], [3]],
  times: ['2020-02-03T04:05:06Z', '2021-02-03T04:05:06Z'],
  raws: ['aGk=', 'aG8='],
};

/** What is wrong with the sample by this rule, in a schema of which nothing is wrong. */
function judged(rule: string): readonly { readonly text: string }[] {
  const ruled = { ...schema, 'x-kubernetes-validations': [{ rule }] };
  expect(atOnce(validateRules(ruled, FieldPath.root))).toEqual([]);
  return compileRules(ruled)?.(sample, undefined) ?? [];
}

describe('what values become as another type', () => {
  it.each([
    'int(self.n) == 2 && int(-self.n) == -2 && int(uint(self.i)) == 5 && int(self.i) == 5',
    'uint(self.n) == 2u && uint(uint(self.i)) == 5u && uint("7") == 7u',
    'double(self.n) == 2.5 && double(uint(self.i)) == 5.0',
    'double("NaN") != double("nan") && double("-Infinity") < -1e308 && double("+inf") > 1e308',
    'bool(self.b) && bool(self.s) && bool(self.s + "rue") && !bool(self.no)',
    'string(self.s) == "t" && string(self.n) == "2.5" && string(uint(self.i)) == "5" && string(self.raw) == "hi"',
    'string(double("NaN")) == "NaN" && string(double("inf")) == "+Inf" && string(double("-inf")) == "-Inf"',
    'string(self.wait) == "90s" && string(duration("-1.5s")) == "-1.5s" && string(self.time) == "2020-02-03T04:05:06Z"',
    'bytes(self.raw) == self.raw && bytes(self.s) == b"t"',
    'timestamp(self.time) == self.time && timestamp(0) == timestamp("1970-01-01T00:00:00Z")',
    'duration(self.wait) == self.wait && int(self.time) == 1580702706',
  ])('%s', (rule) => {
    expect(judged(rule)).toEqual([]);
  });

  it.each([
    ['int(self.n * 1e300) > 0', 'integer overflow'],
    ['int(double(self.s + "x")) > 0', 'cannot convert "tx" to double'],
    ['uint(-self.i) > 0u', 'integer overflow'],
    ['bool(self.s + "x")', 'cannot convert "tx" to bool'],
    ['timestamp(self.i * 100000000000) > self.time', 'timestamp overflow'],
    ['self.raw + b"" == b"hi" && int(self.s) == 1', 'cannot convert "t" to int'],
  ])('%s ends: %s', (rule, why) => {
    expect(judged(rule)).toEqual([expect.objectContaining({ text: expect.stringContaining(why) })]);
  });
});

describe('which values come first, and which are the same', () => {
  it.each([
    'self.raw < b"hj" && self.raw >= b"hi" && self.raw > b"h"',
    'self.numbers == [2.5, 1.0] && self.numbers != [2.5, 1.5]',
    'self.flags == [false, true] && self.flags != [true, true]',
    'self.lists == [[3], [1, 2]] && self.lists != [[3], [2, 1]]',
    'self.pairs == [self.pairs[1], self.pairs[0]] && self.pairs != [self.pairs[0], self.pairs[0]]',
    'self.pairs + [self.pairs[0]] == self.pairs && size(self.pairs + [self.pairs[1]]) == 2',
    'self.times == [timestamp("2021-02-03T05:05:06+01:00"), self.time] && self.times + [self.time] == self.times',
    'self.raws == [b"ho", b"hi"] && self.raws + [b"hi"] == self.raws && self.raws != [b"hi", b"ha"]',
  ])('%s', (rule) => {
    expect(judged(rule)).toEqual([]);
  });
});
