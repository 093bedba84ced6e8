import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/kube-object.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { compileRules } from './expression-rules.ts';
import { object, spec, withRule } from './ruled-schema.fixture.ts';

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
