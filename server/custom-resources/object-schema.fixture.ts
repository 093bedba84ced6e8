import type { JsonSchema } from '../schema/json-schema.ts';

/** For tests: the schema of an object with these members. */
export const objectSchema = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
