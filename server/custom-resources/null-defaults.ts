import type { JsonSchema } from '../schema/json-schema.ts';

const maps = ['properties', 'patternProperties', 'definitions'] as const;
const lists = ['allOf', 'anyOf', 'oneOf'] as const;
const singles = ['not', 'items', 'additionalProperties', 'additionalItems'] as const;

/** A default of null is no default: it is dropped at every depth. The depth is bounded like that of the request body. */
export function withoutNullDefaults(schema: JsonSchema): JsonSchema {
  if (typeof schema !== 'object' || schema === null) return schema;
  const next: Record<string, unknown> = { ...schema };
  if (next['default'] === null) delete next['default'];
  for (const keyword of maps) {
    const value = schema[keyword];
    if (value && typeof value === 'object') {
      next[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, withoutNullDefaults(each)]),
      );
    }
  }
  for (const keyword of lists) if (schema[keyword]) next[keyword] = schema[keyword].map(withoutNullDefaults);
  for (const keyword of singles) {
    const value = schema[keyword];
    if (Array.isArray(value)) next[keyword] = value.map(withoutNullDefaults);
    else if (typeof value === 'object' && value !== null) next[keyword] = withoutNullDefaults(value as JsonSchema);
  }
  return next as JsonSchema;
}
