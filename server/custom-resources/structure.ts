import { lazily } from '../base/caches/memo.ts';
import { additionalOf, itemsOf, type JsonSchema } from '../schema/json-schema.ts';
import { structureOf as builtInStructure } from '../schema/load.ts';
import type { Field, ListType, ScalarType, StructType, Structure } from '../schema/structure.ts';

/** What metadata looks like in every object. */
export const objectMeta = lazily(
  () => builtInStructure('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta') as Structure,
);

/** Nothing said about lists and maps: lists are atomic, maps merge. */
const untyped: Structure = { type: 'any' };

const scalar = (name: ScalarType['scalar'], nullable: boolean): ScalarType => ({
  type: 'scalar',
  scalar: name,
  ...(nullable && { nullable }),
});

/**
 * The structure of a custom kind: which fields there are and how they merge. `metadata` is the structure of
 * ObjectMeta, which is the same for every kind.
 */
export function structureOf(schema: JsonSchema, metadata: Structure): StructType {
  return { ...structOf(schema, metadata, true), required: [] };
}

function structOf(schema: JsonSchema, metadata: Structure, root: boolean): StructType {
  const embedded = root || schema['x-kubernetes-embedded-resource'] === true;
  const fields = new Map<string, Field>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    fields.set(name, { type: typeOf(property, metadata), ...defaultOf(property) });
  }
  if (embedded) {
    fields.set('apiVersion', { type: identity });
    fields.set('kind', { type: identity });
    const described = Object.hasOwn(schema.properties ?? {}, 'metadata');
    fields.set('metadata', { type: root ? metadata : withoutWritten(metadata, described) });
  }
  return {
    type: 'struct',
    name: '',
    fields,
    required: [],
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    preserveUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true,
    embedded: embedded && !root,
  };
}

const identity: ScalarType = { ...scalar('string', false), refused: true };

/** Of an embedded object only what was sent is there. */
function withoutWritten(metadata: Structure, described: boolean): Structure {
  if (metadata.type !== 'struct') return metadata;
  const fields = [...metadata.fields].map(([name, { empty, ...field }]): [string, Field] => [
    name,
    empty === undefined || empty === 'written' ? field : { ...field, empty },
  ]);
  return { ...metadata, fields: new Map(fields), written: new Map(), described };
}

/** Server-side apply fills keys of lists with their defaults. */
const defaultOf = ({ default: value }: JsonSchema) => (value === undefined || value === null ? {} : { default: value });

function typeOf(schema: JsonSchema, metadata: Structure): Structure {
  if (schema['x-kubernetes-int-or-string']) return oneOrOther;
  switch (schema.type) {
    case 'object':
      return objectOf(schema, metadata);
    case 'array':
      return listOf(schema, metadata);
    case 'string':
    case 'boolean':
    case 'integer':
    case 'number':
      return scalarOf(schema, scalars[schema.type]);
    default:
      return schema.properties || additionalOf(schema) ? objectOf(schema, metadata) : untyped;
  }
}

const scalars = { string: 'string', boolean: 'boolean', integer: 'int64', number: 'double' } as const;

/** What keeps unknown fields keeps them in an object that should have been a scalar, too. */
const scalarOf = (schema: JsonSchema, name: ScalarType['scalar']): Structure =>
  schema['x-kubernetes-preserve-unknown-fields'] ? untyped : scalar(name, schema.nullable === true);

function objectOf(schema: JsonSchema, metadata: Structure): Structure {
  if (saysNothing(schema)) return unknown;
  if (schema.additionalProperties === undefined || schema.properties) return structOf(schema, metadata, false);
  const values = additionalOf(schema);
  const atomic = schema['x-kubernetes-map-type'] === 'atomic';
  return { type: 'map', values: values ? typeOf(values, metadata) : unknown, atomic };
}

/** Nothing but that it is an object: merging takes whatever it is given, and that goes later. */
const saysNothing = (schema: JsonSchema) =>
  Object.keys(schema.properties ?? {}).length === 0 &&
  schema.additionalProperties === undefined &&
  schema['x-kubernetes-map-type'] !== 'atomic' &&
  !schema['x-kubernetes-embedded-resource'] &&
  !schema['x-kubernetes-preserve-unknown-fields'];

/** `additionalProperties: true`: any value may stand there, but nothing inside it is known. */
const unknown: Structure = { type: 'any', unknownInside: true };
/** An integer or a text; merging takes whatever it is given, which is refused later. */
const oneOrOther = unknown;

function listOf(schema: JsonSchema, metadata: Structure): ListType {
  const items = itemsOf(schema);
  const listType = schema['x-kubernetes-list-type'];
  return {
    type: 'list',
    items: items ? typeOf(items, metadata) : untyped,
    listType: listType === 'set' || listType === 'map' ? listType : 'atomic',
    keys: listType === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [],
  };
}
