import { expect } from 'vitest';
import { FieldPath } from '../../base/field-path.ts';
import type { Json } from '../../base/kube-object.ts';
import { atOnce } from '../../base/turns/work.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { validateRules } from '../schemas/expressions.ts';
import { compileRules } from './expression-rules.ts';

export const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
export const withRule = (schema: JsonSchema, ...rules: string[]): JsonSchema => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});

export const spec = object({
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

export const problems = (rule: string, schema = spec) =>
  atOnce(validateRules(withRule(schema, rule), FieldPath.root)).map(({ reason, field }) => `${reason} ${field}`);

export const sample: Json = {
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

export const holds = (rule: string, value: Json = sample, previous?: Json) => {
  expect(problems(rule)).toEqual([]);
  return compileRules(withRule(spec, rule))?.(value, previous) ?? [];
};
