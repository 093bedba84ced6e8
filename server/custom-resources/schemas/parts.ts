import type { FieldPath } from '../../base/field-path.ts';
import { additionalOf, itemsOf, type JsonSchema } from '../../schema/json-schema.ts';

export interface SchemaPart {
  readonly schema: JsonSchema;
  readonly path: FieldPath;
}

/** What every object has, embedded ones too, whatever a schema says. */
export const givenToObjects: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** The schemas of the values inside: properties, additionalProperties, items. */
export function* innerParts(
  schema: JsonSchema,
  path: FieldPath,
): Generator<SchemaPart & { kind: 'property' | 'additional' | 'item'; name: string }> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield { kind: 'property', name, schema: property, path: path.child('properties').key(name) };
  }
  const additional = additionalOf(schema);
  if (additional) yield { kind: 'additional', name: '', schema: additional, path: path.child('additionalProperties') };
  const items = itemsOf(schema);
  if (items) yield { kind: 'item', name: '', schema: items, path: path.child('items') };
}

/** The schemas that judge the same value: allOf, anyOf, oneOf, not. */
export function* junctorParts(schema: JsonSchema, path: FieldPath): Generator<SchemaPart> {
  for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [i, each] of (schema[junctor] ?? []).entries())
      yield { schema: each, path: path.child(junctor).index(i) };
  }
  if (schema.not) yield { schema: schema.not, path: path.child('not') };
}

/** How deep a schema is nested, in whatever keyword; stops counting at `limit`. Does not recurse. */
export function schemaDepth(schema: JsonSchema, limit: number): number {
  let level: unknown[] = [schema];
  for (let depth = 1; depth < limit; depth++) {
    level = level.flatMap(nested);
    if (level.length === 0) return depth;
  }
  return limit;
}

const lists = ['allOf', 'anyOf', 'oneOf'] as const;
const maps = ['properties', 'patternProperties', 'definitions', 'dependencies'] as const;

function nested(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const schema = value as JsonSchema;
  // Joined, not spread: a call takes only so many arguments.
  const inner = ([schema.not, schema.additionalProperties, schema.additionalItems] as unknown[]).concat(
    schema.items,
    ...lists.map((keyword) => schema[keyword] ?? []),
    ...maps.map((keyword) => Object.values(schema[keyword] ?? {})),
  );
  return inner.filter((each) => typeof each === 'object' && each !== null);
}
