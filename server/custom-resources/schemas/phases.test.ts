import { describe, expect, it } from 'vitest';
import { FieldPath } from '../../base/field-path.ts';
import { atOnce } from '../../base/turns/work.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { validateSchema } from './rules.ts';

const problems = (properties: object) =>
  atOnce(validateSchema({ type: 'object', properties } as JsonSchema, FieldPath.of('root'), false)).map(
    ({ reason, field }) =>
      `${reason.replace('FieldValue', '')} ${field.replace('root.', '')}`.replaceAll(/properties\[(\w+)\]/g, '$1'),
  );

/** One fault of each phase, each with what is said about it when it is alone. */
const faults = {
  keyword: [{ type: 'array', items: { type: 'string' }, uniqueItems: true }, 'Forbidden a.uniqueItems'],
  unsupported: [{ type: 'string', id: 'x' }, 'Forbidden a.id'],
  dialect: [{ type: 'string', $schema: 'x' }, 'Invalid root'],
  structure: [{ type: 'string', pattern: '[' }, 'Invalid a.pattern'],
  defaults: [{ type: 'string', default: 1 }, 'TypeInvalid a.default'],
  rules: [
    { type: 'string', 'x-kubernetes-validations': [{ rule: '(' }] },
    'Invalid a.x-kubernetes-validations[0].rule',
  ],
} as const;
type Fault = keyof typeof faults;

describe('of two faults', () => {
  it.each<[Fault, Fault, 'both' | 'first']>([
    ['keyword', 'unsupported', 'both'],
    ['keyword', 'dialect', 'first'],
    ['keyword', 'structure', 'both'],
    ['keyword', 'defaults', 'both'],
    ['keyword', 'rules', 'both'],
    ['unsupported', 'dialect', 'first'],
    ['unsupported', 'structure', 'first'],
    ['unsupported', 'rules', 'first'],
    ['dialect', 'structure', 'first'],
    ['dialect', 'defaults', 'first'],
    ['structure', 'defaults', 'first'],
    ['structure', 'rules', 'first'],
    ['defaults', 'rules', 'first'],
  ])('%s and %s are told: %s', (one, other, told) => {
    const [first, said] = faults[one];
    const [second, more] = faults[other];
    const expected = told === 'both' ? [said, more.replace('a.', 'b.')] : [said];
    expect(problems({ a: first, b: second }).toSorted()).toEqual(expected.toSorted());
  });
});

describe('a schema', () => {
  const embedded = (properties: object) => ({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
    properties,
  });
  const either = { 'x-kubernetes-int-or-string': true };
  const rule = (text: string) => ({ 'x-kubernetes-validations': [{ rule: text }] });

  it.each<[string, object, string[]]>([
    ['of embedded metadata may say more', embedded({ metadata: { type: 'object', required: ['name'] } }), []],
    ['of embedded metadata keeps its type', embedded({ metadata: { type: 'string' } }), ['Invalid a.metadata.type']],
    [
      'has no object inside what every object has',
      embedded({ kind: { type: 'string', 'x-kubernetes-embedded-resource': true } }),
      ['Forbidden a.kind.x-kubernetes-embedded-resource', 'Invalid a.kind.type', 'Required a.kind.properties'],
    ],
    [
      'of embedded metadata has defaults of the right type',
      embedded({ metadata: { type: 'object', properties: { name: { type: 'string', default: 5 } } } }),
      ['Invalid a.metadata.name.default'],
    ],
    ['refuses references that say nothing', { type: 'string', $ref: '' }, ['Forbidden a.$ref']],
    ['takes empty definitions', { type: 'string', definitions: {}, id: '' }, []],
    [
      'of an integer or a text has no fields',
      { ...either, 'x-kubernetes-preserve-unknown-fields': true },
      ['Invalid a.x-kubernetes-preserve-unknown-fields'],
    ],
    [
      'refuses metadata below a junctor at any depth',
      { type: 'object', not: { properties: { b: { properties: { metadata: {} } } } } },
      ['Forbidden a.not.b.metadata'],
    ],
    ['does not ask whether a default is an integer or a text', { ...either, default: 1.5 }, []],
    [
      'is asked for defaults of unknown fields and of a wrong type alike',
      { type: 'string', default: { b: 1 } },
      ['Invalid a.default', 'TypeInvalid a.default'],
    ],
    [
      'has any default below additionalProperties',
      { type: 'object', additionalProperties: { type: 'string', default: 1 } },
      [],
    ],
    [
      'tells of an embedded default only what it lacks as an object',
      { type: 'array', items: { ...embedded({}), required: ['b'] }, default: [{}] },
      ['Required a.default[0].apiVersion', 'Required a.default[0].kind'],
    ],
    ['holds defaults against rules', { type: 'string', default: 'b', ...rule('self == "c"') }, ['Invalid a.default']],
    [
      'holds defaults against rules that do not compile',
      { type: 'string', default: 'b', ...rule('(') },
      ['Invalid a.default'],
    ],
    [
      'needs rules that say something',
      { type: 'string', default: 'b', ...rule(' ') },
      ['Required a.x-kubernetes-validations[0].rule'],
    ],
    [
      'has no rules to judge where a keyword further inside is broken',
      { type: 'array', items: { type: 'string', uniqueItems: true }, ...rule('(') },
      ['Forbidden a.items.uniqueItems'],
    ],
    [
      'has no rules to judge where another of them says nothing',
      { type: 'string', 'x-kubernetes-validations': [{ rule: '(' }, { rule: '' }] },
      ['Required a.x-kubernetes-validations[1].rule'],
    ],
    ['of an unknown type has no rules to judge', { type: 'map', ...rule('self') }, ['NotSupported a.type']],
    [
      'of a key that can be null still needs its default',
      {
        type: 'array',
        items: { type: 'object', properties: { k: { type: 'string', nullable: true } } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
      ['Forbidden a.items.k.nullable', 'Required a.items.k.default'],
    ],
  ])('%s', (_, schema, expected) => {
    expect(problems({ a: schema })).toEqual(expected);
  });

  it('of kind and apiVersion has no defaults', () => {
    expect(problems({ kind: { type: 'string', default: 'X' } })).toEqual(['Forbidden kind.default']);
  });
});
