import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { itemsOf, type JsonSchema } from '../../schema/json-schema.ts';

const listTypes = ['atomic', 'set', 'map'];
const composed = ['array', 'object'];

/** `x-kubernetes-list-type` and what it demands of the list, its items and their keys. */
export function validateListType(schema: JsonSchema, path: FieldPath): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const errors: FieldError[] = [];
  if (listType !== undefined && !listTypes.includes(listType)) {
    errors.push(notSupported(path.child('x-kubernetes-list-type'), listType, listTypes));
  }
  if (listType !== undefined && schema.type !== 'array')
    errors.push(otherType(schema, 'must be array if x-kubernetes-list-type is specified', path));
  if (keys.length > 0 && listType === undefined) {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(required(path.child('x-kubernetes-list-type'), why));
  } else if (keys.length > 0 && listType !== 'map') {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(invalidValue(path.child('x-kubernetes-list-type'), listType, why));
  }
  const items = itemsOf(schema);
  if (listType === 'set' && items) errors.push(...setErrors(items, schema.type === 'array', path.child('items')));
  if (listType === 'map') errors.push(...mapErrors(schema, keys, path));
  return errors;
}

/** A schema whose type is not what another of its keywords needs: none at all, or another one. */
export const otherType = ({ type }: JsonSchema, why: string, path: FieldPath): FieldError =>
  type ? invalidValue(path.child('type'), type, why) : required(path.child('type'), why);

/** Items of a set are compared as a whole, so nobody may own a part of one. */
function setErrors(items: JsonSchema, list: boolean, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (items.nullable) errors.push(forbiddenField(path.child('nullable'), 'items of a set cannot be null'));
  if (!list) return errors;
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    errors.push(invalidValue(path.child('x-kubernetes-map-type'), items['x-kubernetes-map-type'], why));
  }
  const listType = items['x-kubernetes-list-type'];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    errors.push(invalidValue(path.child('x-kubernetes-list-type'), listType, why));
  }
  return errors;
}

function withoutSchema({ items }: JsonSchema, path: FieldPath): FieldError {
  const why = 'must have a schema if x-kubernetes-list-type is map';
  return items === undefined ? required(path, why) : invalidValue(path, items, why);
}

function mapErrors(schema: JsonSchema, keys: readonly string[], path: FieldPath): FieldError[] {
  const items = itemsOf(schema);
  const keysPath = path.child('x-kubernetes-list-map-keys');
  const itemsPath = path.child('items');
  const errors: FieldError[] = [];
  if (keys.length === 0) errors.push(required(keysPath, 'must not be empty if x-kubernetes-list-type is map'));
  if (!items) return [...errors, withoutSchema(schema, itemsPath)];
  if (items.nullable) errors.push(forbiddenField(itemsPath.child('nullable'), 'items of a map list cannot be null'));
  if (items.type !== 'object') {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, invalidValue(itemsPath.child('type'), items.type ?? '', why)];
  }
  if (new Set(keys).size < keys.length) errors.push(invalidValue(keysPath, keys, 'must not contain duplicate entries'));
  for (const key of new Set(keys)) {
    const property = items.properties && Object.hasOwn(items.properties, key) ? items.properties[key] : undefined;
    const path = itemsPath.child('properties').key(key);
    if (property) errors.push(...keyErrors(property, items.required?.includes(key) === true, path));
    else errors.push(invalidValue(keysPath, keys, 'entries must all be names of item properties'));
  }
  return errors;
}

function keyErrors(property: JsonSchema, isRequired: boolean, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (property.type && composed.includes(property.type)) {
    const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
    errors.push(invalidValue(path.child('type'), property.type, why));
  }
  const given = property.default !== undefined || isRequired;
  if (property.nullable) errors.push(forbiddenField(path.child('nullable'), 'a key of a map list cannot be null'));
  if (!given) {
    const why = 'a key of a map list must have a default or be required';
    errors.push(required(path.child('default'), why));
  }
  return errors;
}
