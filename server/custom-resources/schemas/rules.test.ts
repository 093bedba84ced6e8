import { describe, expect, it } from 'vitest';
import { FieldPath } from '../../base/field-path.ts';
import { atOnce } from '../../base/turns/work.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { validateSchema } from './rules.ts';

const root = FieldPath.of('root');
const problems = (schema: object, status: boolean) =>
  atOnce(validateSchema({ type: 'object', ...schema } as JsonSchema, root, status)).map(
    ({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`,
  );

describe('the root of a schema beside a status subresource', () => {
  it.each([
    ['no id', { id: 'x' }, ['Invalid root', 'Forbidden root.id']],
    ['no definitions', { definitions: { a: {} } }, ['Invalid root', 'Forbidden root.definitions']],
    ['not even an empty junctor', { anyOf: [] }, ['Invalid root']],
    [
      'no closing, even one that says false',
      { additionalProperties: false },
      ['Invalid root', 'Forbidden root.additionalProperties'],
    ],
    ['what is false', { nullable: false, 'x-kubernetes-int-or-string': false }, []],
    ['texts without a text', { id: '', $schema: '' }, []],
    ['what restricts the object', { required: ['a'], properties: { a: { type: 'string' } }, title: 't' }, []],
  ])('may hold %s', (_, schema, expected) => {
    expect(problems(schema, true)).toEqual(expected);
  });

  it('may have a junctor of very many parts', () => {
    const allOf = Array.from({ length: 200_000 }, () => ({}));
    expect(problems({ allOf }, false)).toEqual([]);
  });

  it('may hold anything that is supported where there is none', () => {
    expect(problems({ anyOf: [], maxProperties: 3 }, false)).toEqual([]);
  });

  it.each([
    ['a list', [], ['Invalid root', 'TypeInvalid root.default']],
    [
      'an object with a field that is not known',
      { nope: 1 },
      ['Invalid root', 'Required root.default.apiVersion', 'Required root.default.kind', 'Invalid root.default'],
    ],
    ['a whole object', { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' } }, ['Invalid root']],
  ])('has no default, which is judged all the same: %s', (_, value, expected) => {
    expect(problems({ default: value }, true)).toEqual(expected);
  });
});

describe('keywords', () => {
  it.each([
    [
      'definitions',
      { definitions: { k: { type: 'Gt', $ref: 'x' } } },
      ['Forbidden root.definitions', 'Forbidden root.definitions[k].$ref', 'NotSupported root.definitions[k].type'],
    ],
    [
      'patterns are not looked into',
      { patternProperties: { k: { type: 'Gt' } } },
      ['Forbidden root.patternProperties'],
    ],
    [
      'items that are a text or an empty list count for nothing',
      { properties: { a: { type: 'object', items: 'x' }, b: { type: 'object', items: [] } } },
      [],
    ],
    ['a list needs items', { properties: { a: { type: 'array', items: [] } } }, ['Required root.properties[a].items']],
    [
      'a kind of list without a type',
      { properties: { a: { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-list-type': 'set' } } },
      ['Required root.properties[a].type'],
    ],
    [
      'a kind of map of another type',
      { properties: { a: { type: 'string', 'x-kubernetes-map-type': 'atomic' } } },
      ['Invalid root.properties[a].type'],
    ],
    [
      'what may not be false hides what is not structural',
      { oneOf: [{ title: 't' }], 'x-kubernetes-preserve-unknown-fields': false },
      ['Invalid root.x-kubernetes-preserve-unknown-fields'],
    ],
  ])('%s', (_, schema, expected) => {
    expect(problems(schema, false)).toEqual(expected);
  });
});
