import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FieldPath } from '../../base/field-path.ts';
import type { Json } from '../../base/kube-object.ts';
import { atOnce } from '../../base/work/work.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { validateRules } from '../schemas/expressions.ts';
import { validateKeywords } from '../schemas/keywords.ts';
import { compileRules } from './expression-rules.ts';

const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
const withRule = (schema: JsonSchema, ...rules: string[]): JsonSchema => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});

const spec = object({
  i: { type: 'integer' },
  n: { type: 'number' },
  s: { type: 'string' },
  b: { type: 'boolean' },
  ios: { 'x-kubernetes-int-or-string': true },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', format: 'date-time' },
  wait: { type: 'string', format: 'duration' },
  raw: { type: 'string', format: 'byte' },
  list: { type: 'array', items: { type: 'integer' }, maxItems: 1000 },
  words: { type: 'array', items: { type: 'string', maxLength: 20 }, maxItems: 10 },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
  items: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: object({ k: { type: 'string' }, v: { type: 'integer' } }, { required: ['k'] }),
  },
  map: { type: 'object', additionalProperties: { type: 'integer' } },
  'a-b': { type: 'string' },
  'x.y/z': { type: 'integer' },
  in: { type: 'boolean' },
  a__b: { type: 'integer' },
  inner: object({ deep: { type: 'string' } }),
});

const problems = (rule: string, schema = spec) =>
  atOnce(validateRules(withRule(schema, rule), FieldPath.root)).map(({ reason, field }) => `${reason} ${field}`);

const sample: Json = {
  i: 5,
  n: 2.5,
  s: 'héllo wörld',
  b: true,
  ios: 7,
  date: '2020-02-03',
  time: '2020-02-03T04:05:06Z',
  wait: '90s',
  raw: 'aGk=',
  list: [3, 1, 2],
  words: ['a', 'b', 'b'],
  set: ['x', 'y'],
  items: [{ k: 'one', v: 1 }],
  map: { a: 1, b: 2 },
  'a-b': 'dash',
  'x.y/z': 9,
  in: true,
  a__b: 4,
  inner: { deep: 'down' },
};

const holds = (rule: string, value: Json = sample, previous?: Json) => {
  expect(problems(rule)).toEqual([]);
  return compileRules(withRule(spec, rule))?.(value, previous) ?? [];
};

describe('rules that hold', () => {
  it.each([
    'self.i == 5 && self.i + 1 == 6 && self.i % 2 == 1 && -self.i < 0',
    'self.n > 2.0 && self.n < 3.0 && double(self.i) * 2.0 == 10.0',
    'self.s.startsWith("h") && self.s.endsWith("d") && self.s.contains(" ") && self.s.size() == 11',
    'size(self.list) == 3 && self.list[0] == 3 && 2 in self.list && !(9 in self.list)',
    'self.list.all(x, x > 0) && self.list.exists(x, x == 2) && self.list.exists_one(x, x == 1)',
    'self.list.map(x, x * 2) == [6, 2, 4] && {"a": 1, "a": 2}.a == 2 && self.list.filter(x, x > 1) == [3, 2]',
    'self.list.map(x, x > 1, x + 1) == [4, 3]',
    'self.list.sum() == 6 && self.list.min() == 1 && self.list.max() == 3 && !self.list.isSorted()',
    'self.words.indexOf("b") == 1 && self.words.lastIndexOf("b") == 2 && self.words.join("-") == "a-b-b"',
    'self.set == ["y", "x"] && self.set + ["x", "z"] == ["z", "y", "x"]',
    '"a" in self.map && self.map["b"] == 2 && self.map.all(k, self.map[k] > 0) && self.map.a == 1',
    'has(self.i) && has(self.inner.deep) && self.inner.deep == "down"',
    'self.a__dash__b == "dash" && self.x__dot__y__slash__z == 9 && self.__in__ && self.a__underscores__b == 4',
    'type(self.ios) == int ? self.ios == 7 : self.ios == "x"',
    'self.time > timestamp("2020-01-01T00:00:00Z") && self.time.getFullYear() == 2020 && self.date.getMonth() == 1',
    'self.wait == duration("1m30s") && self.wait.getSeconds() == 90',
    'self.raw == b"hi" && self.raw.size() == 2',
    '"a,b,c".split(",") == ["a", "b", "c"] && "abc".substring(1, 2) == "b" && " x ".trim() == "x"',
    '"héllo".charAt(1) == "é" && "héllo".indexOf("l") == 2 && "Aé".lowerAscii() == "aé" && "x-y".replace("-", "") == "xy"',
    '"a1b22".find("[0-9]+") == "1" && "a1b22".findAll("[0-9]+") == ["1", "22"] && self.s.matches("^h.*d$")',
    'url("https://u@example.com:80/p%20q?a=1&a=2").getHost() == "example.com:80" && isURL("/x") && !isURL("x")',
    'url("https://[::1]:80/path?a=1").getHostname() == "::1" && url("https://h/p?a=1").getQuery()["a"] == ["1"]',
    'true || self.list[9] == 1',
    '!(self.list[9] == 1 && false)',
    '[1, 2].exists(x, self.list[x + 5] == 1 || x == 2)',
    'string(self.i) == "5" && int("7") == 7 && self.items[0].v == 1',
    'self == self && self.inner == self.inner && self.items == [self.items[0]]',
    '{"a": 1}.a == 1 && {"a": [1]}["a"] == [1] && [] == [] && {} == {}',
    'self.list.all(x, [x, x][0] == [x, x][1])',
    '[[1, 2], [3]].exists(l, l.sum() == 3)',
    'dyn(self.i) == 5',
  ])('%s', (rule) => {
    expect(holds(rule)).toEqual([]);
  });
});

describe('rules that are refused in a definition', () => {
  const rule = 'x-kubernetes-validations[0].rule';
  it.each([
    ['self >', `FieldValueInvalid ${rule}`],
    ['self.nope == 1', `FieldValueInvalid ${rule}`],
    ['self.i', `FieldValueInvalid ${rule}`],
    ['self.ios', `FieldValueInvalid ${rule}`],
    ['self.i == "x"', `FieldValueInvalid ${rule}`],
    ['self.i + 1.0 == 2.0', `FieldValueInvalid ${rule}`],
    ['self.i > 1.5', `FieldValueInvalid ${rule}`],
    ['self.s.nope()', `FieldValueInvalid ${rule}`],
    ['nope(self)', `FieldValueInvalid ${rule}`],
    ['unknown == 1', `FieldValueInvalid ${rule}`],
    ['self.list.all(x, x == "a")', `FieldValueInvalid ${rule}`],
    ['self.i.all(x, true)', `FieldValueInvalid ${rule}`],
    ['[1, "a"].size() == 2', `FieldValueInvalid ${rule}`],
    ['self.list.exists(x, x)', `FieldValueInvalid ${rule}`],
    ['self.map.all(k, k == 1)', `FieldValueInvalid ${rule}`],
    ['self.a-b == "x"', `FieldValueInvalid ${rule}`],
    ['has(self)', `FieldValueInvalid ${rule}`],
    ['Widget{a: 1} == 1', `FieldValueInvalid ${rule}`],
    ['self.words.sum() == "ab"', `FieldValueInvalid ${rule}`],
    ['@result', `FieldValueInvalid ${rule}`],
    [`${'('.repeat(3000)}true${')'.repeat(3000)}`, `FieldValueInvalid ${rule}`],
    [`true${' && true'.repeat(5000)}`, `FieldValueInvalid ${rule}`],
  ])('%s', (text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });

  it('oldSelf needs a value that can be told to follow from one before', () => {
    const list = (more: JsonSchema): JsonSchema =>
      object({
        l: {
          type: 'array',
          maxItems: 9,
          ...more,
          items: withRule(object({ k: { type: 'string' } }), 'self.k == oldSelf.k'),
        },
      });
    expect(atOnce(validateRules(list({}), FieldPath.root))).toHaveLength(1);
    const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
    expect(atOnce(validateRules(list(keyed), FieldPath.root))).toEqual([]);
  });

  it.each([
    ['no text', {}, ['FieldValueRequired rule']],
    ['blanks', { rule: ' \n ', message: '' }, ['FieldValueRequired rule']],
    ['a message of blanks', { rule: 'true', message: ' ' }, ['FieldValueInvalid message']],
    ['a message of two lines', { rule: 'true', message: 'a\nb' }, ['FieldValueInvalid message']],
    ['two lines without a message', { rule: 'true\n|| false' }, ['FieldValueRequired message']],
    ['two lines with a message', { rule: 'true\n|| false', message: 'm\n' }, []],
  ])('%s, at every depth', (_, rule, expected) => {
    const schema = { 'x-kubernetes-validations': [rule] };
    for (const [all, at] of [
      [schema, ''],
      [{ not: schema }, 'not.'],
      [object({ a: { anyOf: [schema] } }), 'properties[a].anyOf[0].'],
    ] as const)
      expect(validateKeywords(all, FieldPath.root).map(({ reason, field }) => `${reason} ${field}`)).toEqual(
        expected.map((each) => each.replace(' ', ` ${at}x-kubernetes-validations[0].`)),
      );
  });

  it('a kind may use its own metadata name', () => {
    const root = withRule(object({}), 'self.metadata.name.startsWith("a") && self.kind == "X"');
    expect(atOnce(validateRules(root, FieldPath.root))).toEqual([]);
    expect(compileRules(root)?.({ kind: 'X', metadata: { name: 'b' } }, undefined)).toHaveLength(1);
  });
});

describe('what a broken rule says', () => {
  const told = (schema: JsonSchema, value: Json, previous?: Json) =>
    (compileRules(schema)?.(value, previous) ?? []).map(({ field, text }) => `${field} | ${text}`);

  it('tells where, and the message or the rule', () => {
    const schema = object({
      a: withRule({ type: 'string' }, 'self == "x"'),
      m: { type: 'object', additionalProperties: withRule({ type: 'integer' }, 'self > 0') },
      l: { type: 'array', items: withRule({ 'x-kubernetes-int-or-string': true }, 'self == 1') },
      o: { ...object({}), 'x-kubernetes-validations': [{ rule: 'false', message: ' no way ' }] },
    });
    expect(told(schema, { a: 'y', m: { k: 0 }, l: [1, 2], o: {} })).toEqual([
      'a | Invalid value: "string": failed rule: self == "x"',
      'm[k] | Invalid value: "integer": failed rule: self > 0',
      'l[1] | Invalid value: "": failed rule: self == 1',
      'o | Invalid value: "object": no way',
    ]);
    expect(told(withRule(object({}), 'false'), {})).toEqual(['<nil> | Invalid value: "object": failed rule: false']);
  });

  it('tells of an evaluation that fails', () => {
    expect(told(withRule(spec, 'self.list[7] == 1'), { list: [] })).toEqual([
      '<nil> | Invalid value: "object": index out of bounds: 7 evaluating rule: self.list[7] == 1',
    ]);
    expect(told(withRule(spec, 'self.i / 0 == 1'), { i: 1 })).toHaveLength(1);
    expect(told(withRule(spec, 'self.i == 1'), {})).toHaveLength(1);
  });

  it('counts transition rules only when there is something before', () => {
    const schema = object({ a: withRule({ type: 'string' }, 'self == oldSelf') });
    expect(told(schema, { a: 'x' })).toEqual([]);
    expect(told(schema, { a: 'x' }, {})).toEqual([]);
    expect(told(schema, { a: 'x' }, { a: 'y' })).toHaveLength(1);
    expect(told(schema, {}, { a: 'y' })).toEqual([]);
  });

  it('finds the old item of a map list by its keys', () => {
    const items = object({ k: { type: 'string' }, v: withRule({ type: 'integer' }, 'self >= oldSelf') });
    const schema = object({
      l: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items },
    });
    const before = {
      l: [
        { k: 'a', v: 5 },
        { k: 'b', v: 1 },
      ],
    };
    expect(
      told(
        schema,
        {
          l: [
            { k: 'b', v: 2 },
            { k: 'c', v: 0 },
            { k: 'a', v: 4 },
          ],
        },
        before,
      ),
    ).toEqual(['l[2].v | Invalid value: "integer": failed rule: self >= oldSelf']);
  });

  it('sees a change in what a rule cannot name', () => {
    const schema = withRule(object({}, { 'x-kubernetes-preserve-unknown-fields': true }), 'self == oldSelf');
    expect(told(schema, { x: 1 }, { x: 2 })).toHaveLength(1);
    expect(told(schema, { x: 1 }, { x: 1 })).toEqual([]);
  });

  it('keeps the digits of large integers', () => {
    expect(
      told(withRule(object({ i: { type: 'integer' } }), 'self.i == 9007199254740993'), { i: 9007199254740993n }),
    ).toEqual([]);
  });
});

describe('what a rule may cost', () => {
  it.each([
    'self.list.all(a, self.list.all(b, self.list.all(c, a + b + c >= 0)))',
    'self.list.map(a, self.list.map(b, self.list.map(c, [a, b, c]))).size() > 0',
    'self.list.map(a, self.s + self.s).size() > 0',
    `["x"]${'.map(s, s + s)'.repeat(60)}.size() == 1`,
    'self.list.all(a, self.s.matches("(x+x+)+y") || true)',
    'self.s.replace("", self.s).size() > 0',
    'self.s.findAll("x.*y|x").size() > 0',
  ])('ends %s when it is used up', (rule) => {
    const value = { list: Array.from({ length: 3000 }, (_, i) => i), s: 'x'.repeat(20_000) };
    const started = performance.now();
    const [error] = compileRules(withRule(spec, rule))?.(value, undefined) ?? [];
    expect(error?.text).toContain(`call cost exceeds limit for rule: ${rule}`);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('ends one rule before all rules together', () => {
    const rule = 'self.all(a, self.all(b, self.all(c, a + b + c > 0)))';
    const schema = withRule({ type: 'array', maxItems: 60, items: { type: 'integer' } }, rule, rule);
    const ones = (count: number) => Array.from({ length: count }, () => 1);
    expect(compileRules(schema)?.(ones(20), undefined)).toEqual([]);
    expect(compileRules(schema)?.(ones(60), undefined)).toHaveLength(1);
  });
});

describe('any text as a rule', () => {
  const fragment = fc.constantFrom(
    'self',
    '.i',
    '.list',
    '.map',
    '.s',
    '[0]',
    '(',
    ')',
    '.all(x, ',
    '.map(x, ',
    'x',
    ' == ',
    ' + ',
    ' in ',
    '"a"',
    '1',
    '1.5',
    'has(',
    '!',
    ' && ',
    ' || ',
    ' ? ',
    ' : ',
    '[',
    ']',
    ',',
    '{',
    '}',
    '.size()',
    'b"x"',
    '.matches(',
    'oldSelf',
    'null',
    'type(',
  );
  it('is refused or evaluated, and never throws', () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 14 }), (fragments) => {
        const rule = fragments.join('');
        if (problems(rule).length > 0) return;
        expect(Array.isArray(compileRules(withRule(spec, rule))?.(sample, sample) ?? [])).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('conversions', () => {
  const time = { type: 'string', format: 'date-time' } as const;
  it.each<[string, JsonSchema, Json]>([
    ['string(self) == "2020-01-01T01:00:00.5+01:00"', time, '2020-01-01T01:00:00.500+01:00'],
    ['string(self) == "2020-01-01T00:00:00Z" && self.getHours() == 0', time, '2020-01-01T00:00:00Z'],
    ['self.getHours() == 0', time, '2020-01-01T01:00:00+01:00'],
    ['timestamp(self) == timestamp("1970-01-01T00:00:10Z")', { type: 'integer' }, 10],
    ['int(timestamp("1970-01-01T00:00:10Z")) == self', { type: 'integer' }, 10],
    [
      'self.getMilliseconds() == 3665500 && string(self) == "3665.5s"',
      { type: 'string', format: 'duration' },
      '1h1m5.5s',
    ],
    ['self.getMilliseconds() == -500', { type: 'string', format: 'duration' }, '-500ms'],
    ['int(self) == -7 && double(self) == -7.0', { type: 'string' }, '-7'],
    ['double(self) == 1500.0', { type: 'string' }, '1.5e3'],
    ['bool(self) && !bool("F")', { type: 'string' }, 't'],
    ['string(self) == "1.23456789e+08" && string(100000.5) == "100000.5"', { type: 'number' }, 123456789],
    ['string(self) == "1e+06" && string(1.5) == "1.5" && string(0.00001) == "1e-05"', { type: 'number' }, 1e6],
    ['string(uint(self)) == "5" && string(true) == "true" && bytes("a") == b"a"', { type: 'integer' }, 5],
    ['type(self) == google.protobuf.Timestamp', time, '2020-01-01T00:00:00Z'],
    ['google.protobuf.Int32Value{value: 1} == self && google.protobuf.StringValue{} == ""', { type: 'integer' }, 1],
    ['!has(self.a)', object({ a: { type: 'integer', nullable: true } }), { a: null }],
    ['self.__var__ == 1', object({ var: { type: 'integer' } }), { var: 1 }],
  ])('%s', (rule, schema, value) => {
    expect(problems(rule, schema)).toEqual([]);
    expect(compileRules(withRule(schema, rule))?.(value, undefined)).toEqual([]);
  });

  it('of a long text that is no number after all take no longer than it is', () => {
    const schema: JsonSchema = { type: 'string' };
    const rule = compileRules(withRule(schema, 'double(self) > 0.0'));
    const began = performance.now();
    expect(rule?.(`${'0'.repeat(100_000)}x`, undefined)).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(1000);
  });

  it.each([
    '[int("a")].size() == 1',
    '[string(int(dyn("a")))].size() == 1',
    'duration("1d") > duration("1s")',
    '{}[[1]] == 1',
    '{}[null] == 1',
    'duration(1) == duration("1s")',
    '9223372036854775808 > 1',
    'timestamp("2020") < timestamp("2021-01-01T00:00:00Z")',
    '[uint(-1)].size() == 1',
    'self.s.matches("(")',
    'self.s.find("[") == ""',
    'self.s.findAll("(?=a)").size() == 0',
  ])('of constants that fail are refused in a definition: %s', (rule) => {
    expect(problems(rule)).toEqual(['FieldValueInvalid x-kubernetes-validations[0].rule']);
  });

  it.each([
    'self.i == null',
    'null == self.s',
    'self.list != null',
    'null == self.wait',
    '[1, null].size() == 2',
    '[self.time, null].size() == 2',
    'null.split(",").size() == 0',
    'size(null) == 0',
  ])('null is nothing but an object: %s is refused', (rule) => {
    expect(problems(rule)).toEqual(['FieldValueInvalid x-kubernetes-validations[0].rule']);
  });

  it.each(['self.inner == null || true', 'self.time == null || true', '[null, self.time].size() == 2', 'null == null'])(
    'what can be null can be compared with it: %s',
    (rule) => expect(problems(rule)).toEqual([]),
  );
});
