import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worked } from '../../../fixtures/worked.fixture.ts';
import type { Json } from '../../base/kube-object.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { compileRules } from './expression-rules.ts';
import { holds, object, problems, sample, spec, withRule } from './ruled-schema.fixture.ts';

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
    const started = worked();
    const [error] = compileRules(withRule(spec, rule))?.(value, undefined) ?? [];
    expect(error?.text).toContain(`call cost exceeds limit for rule: ${rule}`);
    expect(worked() - started).toBeLessThan(5000);
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
    const began = worked();
    expect(rule?.(`${'0'.repeat(100_000)}x`, undefined)).toHaveLength(1);
    expect(worked() - began).toBeLessThan(1000);
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
