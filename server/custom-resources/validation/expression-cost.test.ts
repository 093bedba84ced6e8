import { describe, expect, it } from 'vitest';
import { FieldPath } from '../../base/field-path.ts';
import { atOnce } from '../../base/turns/work.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { validateRules } from '../schemas/expressions.ts';

const ruled = (schema: JsonSchema, ...rules: string[]): JsonSchema => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});

const list = (items: JsonSchema, maxItems?: number): JsonSchema => ({
  type: 'array',
  items,
  ...(maxItems !== undefined && { maxItems }),
});
const map = (values: JsonSchema, maxProperties?: number): JsonSchema => ({
  type: 'object',
  additionalProperties: values,
  ...(maxProperties !== undefined && { maxProperties }),
});
const object = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
});
const integer: JsonSchema = { type: 'integer' };
const text: JsonSchema = { type: 'string' };
const word: JsonSchema = { type: 'string', maxLength: 40 };

const fields = (schema: JsonSchema) =>
  atOnce(validateRules(schema, FieldPath.root.child('schema'))).map(({ field }) => field);

/** `fine`; `rule`: one rule costs too much; `total`: so much that the schema does as well. */
function verdict(schema: JsonSchema): string {
  const found = fields(schema);
  return found.length === 0 ? 'fine' : found.includes('schema') ? 'total' : 'rule';
}

describe('the estimated cost of a rule', () => {
  it.each<[string, JsonSchema, string]>([
    ['self > 0', integer, 'fine'],
    ['self.all(x, x > 0)', list(integer), 'fine'],
    ['self.all(x, self.all(y, x == y))', list(integer, 100), 'fine'],
    ['self.all(x, self.all(y, x == y))', list(integer, 1500), 'rule'],
    ['self.all(x, self.all(y, x == y))', list(integer), 'total'],
    ['self.filter(x, x > 0).size() > 0', list(integer), 'rule'],
    ['self.map(x, x * 2).all(y, y > 0)', list(integer, 3), 'total'],
    ['self.all(x, x.startsWith("a"))', list(text, 10), 'fine'],
    ['self.all(x, x.contains("a"))', list(text), 'total'],
    ['self.all(x, x.contains("a"))', list({ ...text, maxLength: 100 }, 100), 'fine'],
    ['self.contains("x") && self.matches("^a+$")', text, 'fine'],
    ['self.isSorted()', list(text), 'total'],
    ['self.isSorted() && self.sum() > 0 && self.size() < 5', list(integer), 'fine'],
    ['self.lowerAscii() == "abc"', text, 'fine'],
    ['self.lowerAscii().contains("abc")', text, 'total'],
    ['self.split(",") == ["a"] && self.replace("a", "b") == "b"', word, 'fine'],
    ['self.split(",").join("-") == "a"', word, 'total'],
    ['self.join("-") == "a"', list(word, 6), 'fine'],
    ['dyn(self).join() == "a"', list(text), 'fine'],
    ['dyn(self).join("-") == "a"', list(text), 'total'],
    ['(self ? "a".lowerAscii() : "b".lowerAscii()).contains("a".lowerAscii())', { type: 'boolean' }, 'total'],
    ['url(self).getHost() == "a"', word, 'fine'],
    ['url(self) == url(self)', word, 'total'],
    ['string(bytes(self)) == "a"', word, 'total'],
    ['type(self) == string && type(self) in [string, int]', word, 'fine'],
    ['type(1) == type(2)', integer, 'total'],
    ['dyn(1) == 1', integer, 'fine'],
    ['dyn(1) < dyn(2)', integer, 'total'],
    ['[1, 2].all(x, [3].all(y, x * y > 0)) && {"a": 1}.a == 1', integer, 'fine'],
    ['self.a in self.l', object({ a: text, l: list(text) }), 'fine'],
    ['self.a.all(x, x in self.l)', object({ a: list(text), l: list(text) }), 'total'],
    ['self.a.matches(self.b)', object({ a: text, b: text }), 'total'],
    ['self.a == self.b', object({ a: list(text), b: list(text) }), 'fine'],
    ['self.all(x, self.exists_one(y, y.a == x.a))', list(object({ a: text })), 'total'],
    ['self.all(k, k.startsWith("a") && self[k] > 0)', map(integer), 'fine'],
    ['self.all(k, self.all(j, k == j || k.contains(j)))', map(text, 50), 'fine'],
    ['self.all(k, self[k].all(j, j == k))', map(map(text)), 'total'],
    ['self.all(k, self[k].all(l, self[k].all(m, l.contains(m))))', map(list(word, 10), 10), 'fine'],
    ['self == 1 || self == "a"', { 'x-kubernetes-int-or-string': true }, 'fine'],
    ['self.getFullYear() > 2000 && string(self) < "3"', { type: 'string', format: 'date-time' }, 'fine'],
    ['(true ? self : "a").contains("x")', text, 'fine'],
    ['(self + self + "a").contains("x")', text, 'fine'],
  ])('%s in %j: %s', (rule, schema, expected) => {
    expect(verdict(ruled(schema, rule))).toBe(expected);
  });

  it.each<[string, JsonSchema, string]>([
    ['a list with a limit', list(ruled(list(integer), 'self.all(x, x > 0)'), 2), 'rule'],
    ['a list without one, of which a request holds few', list(ruled(integer, 'self > 0')), 'fine'],
    ['a list in a list without a limit', list(list(ruled(integer, 'self > 0'))), 'fine'],
    ['texts in lists without a limit', list(list(list(ruled(text, 'self.contains("a")')), 10)), 'total'],
    ['values of a map', map(ruled(word, 'self.contains("a")'), 100), 'fine'],
    ['objects that need room', list(ruled(object({ a: text, b: text }, ['a', 'b']), 'self.a < self.b')), 'total'],
  ])('counts each value of %s', (_, schema, expected) => {
    expect(verdict(schema)).toBe(expected);
  });

  it('is totalled over the schema, and the most expensive rules are named', () => {
    const rule = 'self.all(x, self.all(y, x == y))';
    const costly = ruled(list(integer, 1100), rule);
    const one = fields(object({ a: costly, b: ruled(integer, 'self > 0') }));
    expect(one).toEqual([]);
    const names = Array.from({ length: 20 }, (_, i) => `p${i}`);
    const found = fields(object(Object.fromEntries(names.map((name) => [name, costly]))));
    expect(found).toHaveLength(5);
    expect(found.at(-1)).toBe('schema');
  });
});
