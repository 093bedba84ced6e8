import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { StructType, Structure } from '../schema/structure.ts';
import { structureOf } from './structure.ts';

const metadata: Structure = { type: 'any' };
const fieldOf = (schema: JsonSchema) =>
  structureOf({ type: 'object', properties: { x: schema } }, metadata).fields.get('x');
const string: JsonSchema = { type: 'string' };

describe('the structure of a custom kind', () => {
  it('has metadata, and nothing is required by it', () => {
    const root = structureOf({ type: 'object', required: ['a'], properties: { a: string } }, metadata);
    expect([...root.fields.keys()]).toEqual(['a', 'apiVersion', 'kind', 'metadata']);
    expect(root).toMatchObject({ required: [], embedded: false, preserveUnknown: false });
    expect(root.fields.get('metadata')?.type).toBe(metadata);
  });

  it.each<[JsonSchema, object]>([
    [{ type: 'integer' }, { type: 'scalar', scalar: 'int64' }],
    [{ type: 'number' }, { type: 'scalar', scalar: 'double' }],
    [
      { type: 'boolean', nullable: true },
      { type: 'scalar', scalar: 'boolean', nullable: true },
    ],
    [{ 'x-kubernetes-int-or-string': true }, { type: 'any', unknownInside: true }],
    [{ 'x-kubernetes-preserve-unknown-fields': true }, { type: 'any' }],
    [
      { type: 'array', items: string },
      { type: 'list', listType: 'atomic', keys: [] },
    ],
    [
      { type: 'array', items: string, 'x-kubernetes-list-type': 'set' },
      { type: 'list', listType: 'set', keys: [] },
    ],
    [
      {
        type: 'array',
        items: { type: 'object' },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
      { type: 'list', listType: 'map', keys: ['k'] },
    ],
    [
      { type: 'object', additionalProperties: string },
      { type: 'map', atomic: false },
    ],
    [
      { type: 'object', additionalProperties: string, 'x-kubernetes-map-type': 'atomic' },
      { type: 'map', atomic: true },
    ],
    [
      { type: 'object', 'x-kubernetes-map-type': 'atomic' },
      { type: 'struct', atomic: true, preserveUnknown: false },
    ],
    [
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'struct', preserveUnknown: true },
    ],
    [
      { type: 'object', properties: { a: string }, additionalProperties: true },
      { type: 'struct', preserveUnknown: true },
    ],
  ])('%j', (schema, expected) => {
    expect(fieldOf(schema)?.type).toMatchObject(expected);
  });

  it('keeps the keys of a map of anything, but knows nothing inside its values', () => {
    const map = fieldOf({ type: 'object', additionalProperties: true })?.type;
    expect(map).toMatchObject({ type: 'map', values: { type: 'any', unknownInside: true } });
  });

  it('knows the metadata of embedded resources, and defaults that keys of lists may need', () => {
    const embedded = fieldOf({ type: 'object', 'x-kubernetes-embedded-resource': true })?.type as StructType;
    expect([...embedded.fields.keys()]).toEqual(['apiVersion', 'kind', 'metadata']);
    expect(embedded.embedded).toBe(true);
    const objectMeta: Structure = { ...embedded, name: 'ObjectMeta' };
    const described = (properties: JsonSchema['properties'] = {}) => {
      const schema: JsonSchema = { type: 'object', 'x-kubernetes-embedded-resource': true, properties };
      const whole = structureOf({ type: 'object', properties: { x: schema } }, objectMeta);
      return (whole.fields.get('x')?.type as StructType | undefined)?.fields.get('metadata')?.type;
    };
    expect(described()).toMatchObject({ described: false });
    expect(described({ metadata: { type: 'object' } })).toMatchObject({ described: true });
    expect(fieldOf({ type: 'string', default: 'TCP' })?.default).toBe('TCP');
  });
});
