import type { JsonSchema } from '../schema/json-schema.ts';

const maps = ['properties', 'patternProperties', 'definitions'] as const;
const lists = ['allOf', 'anyOf', 'oneOf'] as const;
const singles = ['not', 'items', 'additionalProperties', 'additionalItems'] as const;

type Parts = Record<string, unknown>;

/** A copy in which each schema, at every depth, went through `tidy`. The depth is bounded like that of the request body. */
function tidied(schema: JsonSchema, tidy: (parts: Parts) => void): JsonSchema {
  if (typeof schema !== 'object' || schema === null) return schema;
  const next: Parts = { ...schema };
  tidy(next);
  const inside = (each: JsonSchema) => tidied(each, tidy);
  for (const keyword of maps) {
    const value = next[keyword] as JsonSchema[typeof keyword];
    if (value && typeof value === 'object')
      next[keyword] = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inside(each)]));
  }
  for (const keyword of lists) if (next[keyword]) next[keyword] = (next[keyword] as JsonSchema[]).map(inside);
  for (const keyword of singles) {
    const value = next[keyword];
    if (Array.isArray(value)) next[keyword] = value.map(inside);
    else if (typeof value === 'object' && value !== null) next[keyword] = inside(value as JsonSchema);
  }
  return next as JsonSchema;
}

/** A default of null is no default, and what is no schema for elements none either: they are dropped at every depth. */
export const withoutNullDefaults = (schema: JsonSchema): JsonSchema =>
  tidied(schema, (parts) => {
    if (parts['default'] === null) delete parts['default'];
    const { items } = parts;
    if (typeof items !== 'object' || (Array.isArray(items) && items.length === 0)) delete parts['items'];
  });

/** What says nothing when it is empty, though it counts as said until it is stored. */
const emptiable = [
  'allOf',
  'anyOf',
  'oneOf',
  'definitions',
  'dependencies',
  'enum',
  'patternProperties',
  'x-kubernetes-list-map-keys',
] as const;

/** The schema as it is stored. */
export const withoutEmptyParts = (schema: JsonSchema): JsonSchema =>
  tidied(schema, (parts) => {
    for (const keyword of emptiable) {
      const value = parts[keyword];
      if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) delete parts[keyword];
    }
  });
