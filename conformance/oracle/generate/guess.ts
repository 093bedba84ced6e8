import type { Json } from '../../verbs/client.ts';
import { resolved, type Schemas } from './schema.ts';

const byFormat: Readonly<Record<string, Json>> = {
  'date-time': '2024-05-06T07:08:09Z',
  byte: 'YQ==',
  'int-or-string': 1,
};

/** Whether a member is a number, a text that is not one of a few words, or neither. */
export function typeOf({ type, format, enum: words }: Json): 'number' | 'text' | 'other' {
  if (format === 'int-or-string' || type === 'integer' || type === 'number') return 'number';
  return type === 'string' && !words ? 'text' : 'other';
}

/**
 * A value that a schema may well take, with nothing in it that is not demanded.
 * @param more how many levels of members are there that are not demanded
 */
export function guessOf(given: Json, schemas: Schemas, more = 0): Json {
  const { schema } = resolved(given, schemas);
  const { type, format, enum: words, properties, required = [], items, additionalProperties } = schema;
  if (words) return words[0];
  if (format && format in byFormat) return byFormat[format];
  if (properties) return structOf(properties, more > 0 ? Object.keys(properties) : required, schemas, more);
  if (type === 'array') return [guessOf(items, schemas, more)];
  if (typeof additionalProperties === 'object') return { key: guessOf(additionalProperties, schemas) };
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  return type === 'object' ? {} : 'some-name';
}

/** Of members that hold members one is there, and only beside none that do not: many of them shut each other out. */
function structOf(properties: Json, wanted: readonly string[], schemas: Schemas, more: number): Json {
  const plain = wanted.filter((name) => !holdsMembers(properties[name], schemas));
  const named = more === 0 ? wanted : plain.length > 0 ? plain : wanted.slice(0, 1);
  return Object.fromEntries(named.map((name) => [name, guessOf(properties[name], schemas, Math.max(0, more - 1))]));
}

/** Whether a schema is of a struct, or of a list of some. */
export function holdsMembers(given: Json, schemas: Schemas): boolean {
  const { schema } = resolved(given, schemas);
  return schema.properties !== undefined || (schema.items !== undefined && holdsMembers(schema.items, schemas));
}
