import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/kube-object.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { compileRules } from './expression-rules.ts';

const holds = (schema: JsonSchema, rule: string, value: Json, previous?: Json) =>
  compileRules({ ...schema, 'x-kubernetes-validations': [{ rule }] })?.(value, previous).length === 0;

const text: JsonSchema = { type: 'string', nullable: true };

describe('a null among the values of a map', () => {
  const map: JsonSchema = { type: 'object', additionalProperties: text };

  it.each<[string, Json, boolean]>([
    ['"a" in self', { a: null }, true],
    ['has(self.a)', { a: null }, true],
    ['self.size() == 2', { a: null, b: 'x' }, true],
    ['self.all(key, key != "a")', { a: null }, false],
    ['self.all(key, self[key] == "x")', { a: null, b: 'x' }, false],
  ])('is there: %s of %j', (rule, value, expected) => {
    expect(holds(map, rule, value)).toBe(expected);
  });

  it('is equal to a null alone', () => {
    const unchanged = (value: Json, previous: Json) => holds(map, 'self == oldSelf', value, previous);
    expect(unchanged({ a: null }, { a: null })).toBe(true);
    expect([unchanged({ a: null }, {}), unchanged({ a: null }, { a: 'x' })]).toEqual([false, false]);
  });
});

describe('a null in a property of an object', () => {
  const object: JsonSchema = {
    type: 'object',
    properties: { a: text },
    'x-kubernetes-preserve-unknown-fields': true,
  };

  it('is not there', () => {
    expect(holds(object, 'has(self.a)', { a: null })).toBe(false);
  });

  it('makes the object equal to none, but one that no property describes does not', () => {
    const unchanged = (value: Json, previous: Json) => holds(object, 'self == oldSelf', value, previous);
    expect([unchanged({ a: null }, { a: null }), unchanged({ a: null }, {})]).toEqual([false, false]);
    expect([unchanged({ b: null }, { b: null }), unchanged({ b: null }, {})]).toEqual([true, false]);
  });
});
