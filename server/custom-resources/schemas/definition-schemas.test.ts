import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { ofSchema } from '../definition/definition.fixture.ts';
import { objectSchema as o } from '../object-schema.fixture.ts';

describe('schemas', () => {
  const a = (schema: JsonSchema) => ofSchema(o({ a: schema }));
  const p = '~.properties[a]';

  it.each<[JsonSchema, string[]]>([
    [{ type: 'string' }, ['FieldValueInvalid ~.type']],
    [{ type: 'object', nullable: true }, ['FieldValueForbidden ~.nullable']],
    [{ type: 'object', additionalProperties: { type: 'string' } }, ['FieldValueForbidden ~.additionalProperties']],
    [
      o({ metadata: { type: 'object', properties: { labels: { type: 'object' } } } }),
      ['FieldValueForbidden ~.properties[metadata]'],
    ],
    [o({ kind: { type: 'integer' } }), ['FieldValueInvalid ~.properties[kind].type']],
    [
      o({}, { anyOf: [{ properties: { metadata: {} } }] }),
      ['FieldValueForbidden ~.anyOf[0].properties[metadata]', 'FieldValueRequired ~.properties[metadata]'],
    ],
    [o({}, { oneOf: [{ items: {} }] }), ['FieldValueRequired ~.items']],
    [
      o({ a: o({}) }, { allOf: [{ properties: { a: { properties: { b: {} } } } }] }),
      ['FieldValueRequired ~.properties[a].properties[b]'],
    ],
    [o({ a: o({}, { anyOf: [{ properties: { b: {} } }] }) }), []],
  ])('the root %j', (schema, expected) => {
    expect(ofSchema(schema)).toEqual(expected);
  });

  it('the root may not judge the whole object when the status is written apart', () => {
    expect(ofSchema(o({}, { anyOf: [{ required: ['x'] }] }), { subresources: { status: {} } })).toEqual([
      'FieldValueInvalid ~',
    ]);
  });

  it.each<[JsonSchema, string[]]>([
    [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, []],
    [
      {
        'x-kubernetes-int-or-string': true,
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'x' }],
      },
      [],
    ],
    [
      { type: 'string', not: { type: 'string', nullable: true } },
      [`FieldValueForbidden ${p}.not.nullable`, `FieldValueForbidden ${p}.not.type`],
    ],
    [
      { type: 'object', allOf: [{ properties: { b: { default: 1 } } }] },
      [`FieldValueForbidden ${p}.allOf[0].properties[b].default`],
    ],
    [{ type: 'string', pattern: '(?=x)' }, [`FieldValueInvalid ${p}.pattern`]],
    [{ type: 'null' }, [`FieldValueForbidden ${p}.type`, `FieldValueNotSupported ${p}.type`]],
    [{ type: 'string', id: 'x' }, [`FieldValueForbidden ${p}.id`]],
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, [`FieldValueRequired ${p}.type`]],
    [
      { type: 'object', default: { b: 1 }, properties: { b: { type: 'string' } } },
      [`FieldValueTypeInvalid ${p}.default.b`],
    ],
    [{ type: 'array', items: { type: 'integer' }, default: [1, 'x'] }, [`FieldValueTypeInvalid ${p}.default.[1]`]],
    [
      { type: 'object', default: {}, required: ['b'], properties: { b: { type: 'string', default: 'x' } } },
      [`FieldValueRequired ${p}.default.b`],
    ],
    [{ type: 'object', default: { c: 1 }, properties: { b: { type: 'string' } } }, [`FieldValueInvalid ${p}.default`]],
    [{ type: 'object', default: { c: 1 }, 'x-kubernetes-preserve-unknown-fields': true }, []],
    [{ type: 'array', default: ['a', 'a'], 'x-kubernetes-list-type': 'set', items: { type: 'string' } }, []],
    [
      { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string', nullable: true } },
      [`FieldValueForbidden ${p}.items.nullable`],
    ],
    [
      {
        type: 'array',
        'x-kubernetes-list-type': 'atomic',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'string' },
      },
      [`FieldValueInvalid ${p}.x-kubernetes-list-type`],
    ],
    [
      { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'string', nullable: true } },
      [
        `FieldValueForbidden ${p}.items.nullable`,
        `FieldValueInvalid ${p}.items.type`,
        `FieldValueRequired ${p}.x-kubernetes-list-map-keys`,
      ],
    ],
    [
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', required: ['k'], properties: { k: { type: 'String' } } },
      },
      [`FieldValueNotSupported ${p}.items.properties[k].type`],
    ],
    [
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: [{ type: 'string' }],
      },
      [`FieldValueForbidden ${p}.items`, `FieldValueInvalid ${p}.items`],
    ],
    [
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        default: { kind: '', metadata: { labels: 1 } },
      },
      [`FieldValueInvalid ${p}.default.metadata`],
    ],
    [
      {
        default: {},
        'x-kubernetes-preserve-unknown-fields': true,
        'x-kubernetes-validations': [{ rule: 'self.a' }],
      },
      [`InternalError ${p}.x-kubernetes-validations`],
    ],
    [{ $ref: '#/x' }, [`FieldValueForbidden ${p}.$ref`]],
    [{ type: 'array', items: [{ type: 'string' }] }, [`FieldValueForbidden ${p}.items`]],
  ])('a property %j', (schema, expected) => {
    expect(a(schema)).toEqual(expected);
  });

  it('is not nested without end', () => {
    let schema: JsonSchema = { type: 'string' };
    for (let i = 0; i < 3000; i++) schema = { type: 'array', items: schema };
    expect(a(schema)).toEqual(['FieldValueInvalid ~']);
  });
});
