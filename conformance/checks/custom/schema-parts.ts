import type { Json } from '../../verbs/json.ts';

/** What schemas of custom types are made of. */
export const text = { type: 'string' };
export const whole = { type: 'integer' };
export const intOrString = { 'x-kubernetes-int-or-string': true };
/** What the schema does not know is kept. */
export const free = { 'x-kubernetes-preserve-unknown-fields': true };
export const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };

export const objectOf = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });
export const listOf = (items: Json, more: Json = {}): Json => ({ type: 'array', items, ...more });
export const mapOf = (values: Json, more: Json = {}): Json => ({
  ...{ type: 'object', additionalProperties: values },
  ...more,
});
export const setOf = (items: Json, more: Json = {}): Json =>
  listOf(items, { 'x-kubernetes-list-type': 'set', ...more });

/** A list of objects by `keys`, which are those that each must have unless others are named. */
export const keyed = (
  properties: Json,
  required: readonly string[],
  keys: readonly string[] = required,
  more: Json = {},
): Json =>
  listOf(objectOf(properties, { required, ...more }), {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
  });
