import type { FieldPath } from '../base/field-path.ts';
import { canonicalJson, isJsonObject, type JsonObject, memberOf, putMember, shownValue } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';
import { additionalOf, itemsOf, type JsonSchema } from '../schema/json-schema.ts';
import type { Findings, Validator } from './findings.ts';

/**
 * Compiles what the `x-kubernetes-` extensions demand of values: lists that are sets or maps hold nothing twice,
 * embedded resources have an apiVersion and a kind. Undefined: the schema demands nothing.
 */
export function compileExtensions(schema: JsonSchema): Validator | undefined {
  const own = compileOwn(schema);
  const members = compileMembers(schema);
  const items = itemsOf(schema);
  const item = items && compileExtensions(items);
  if (!own && !members && !item) return undefined;
  return (value, path, found) => {
    own?.(value, path, found);
    if (Array.isArray(value)) {
      if (item) for (let i = 0; i < value.length && !found.full; i++) item(value[i] as Json, path.index(i), found);
    } else if (isJsonObject(value)) members?.(value, path, found);
  };
}

function compileMembers(
  schema: JsonSchema,
): ((value: JsonObject, path: FieldPath, found: Findings) => void) | undefined {
  const named = new Map<string, Validator>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const rule = compileExtensions(property);
    if (rule) named.set(name, rule);
  }
  const additional = additionalOf(schema);
  const others = additional && compileExtensions(additional);
  if (named.size === 0 && !others) return undefined;
  return (value, path, found) => {
    for (const key of Object.keys(value)) {
      if (found.full) return;
      (named.get(key) ?? others)?.(memberOf(value, key) as Json, path.child(key), found);
    }
  };
}

function compileOwn(schema: JsonSchema): Validator | undefined {
  if (schema['x-kubernetes-embedded-resource']) return isResource;
  if (schema['x-kubernetes-list-type'] === 'set') return hasNothingTwice((item) => item);
  if (schema['x-kubernetes-list-type'] === 'map') {
    const keys = schema['x-kubernetes-list-map-keys'] ?? [];
    return hasNothingTwice((item) => keyOf(item, keys));
  }
  return undefined;
}

const isResource: Validator = (value, path, found) => {
  if (!isJsonObject(value)) return;
  for (const field of ['apiVersion', 'kind']) {
    const given = memberOf(value, field);
    if (typeof given === 'string' && given !== '') continue;
    found.add('FieldValueRequired', String(path.child(field)), 'Required value: must not be empty');
  }
};

/** The key fields that an item has; undefined: the item is no object, which is another rule's matter. */
function keyOf(item: Json, keys: readonly string[]): Json | undefined {
  if (!isJsonObject(item)) return undefined;
  const key: JsonObject = {};
  for (const name of keys) {
    const part = memberOf(item, name);
    if (part !== undefined) putMember(key, name, part);
  }
  return key;
}

const hasNothingTwice =
  (identity: (item: Json) => Json | undefined): Validator =>
  (value, path, found) => {
    if (!Array.isArray(value)) return;
    const seen = new Set<string>();
    for (const [i, item] of value.entries()) {
      const key = identity(item);
      if (key === undefined) continue;
      const text = canonicalJson(key);
      if (seen.has(text))
        found.add('FieldValueDuplicate', String(path.index(i)), `Duplicate value: ${shownValue(key)}`);
      seen.add(text);
    }
  };
