import { isJsonObject, type JsonObject, memberOf, putMember } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';
import { additionalOf, itemsOf, type JsonSchema } from '../schema/json-schema.ts';
import { mapItems } from './default.ts';

/** Removes what a schema does not know. The same reference when nothing goes; never changes its argument. */
export type Pruner = (value: Json) => Json;

const envelope: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** Removes the unknown members of a whole object; its metadata is not the schema's business. */
export function compilePruner(schema: JsonSchema): Pruner {
  return pruner(schema, true);
}

/** Removes the unknown members of a value inside an object, such as a default. */
export function compileMemberPruner(schema: JsonSchema): Pruner {
  return pruner(schema, false);
}

/**
 * - Below `x-kubernetes-preserve-unknown-fields` unknown members stay whole, and described ones are still pruned.
 * - Below `additionalProperties: true` the keys stay, and what is inside their values goes.
 */
function pruner(schema: JsonSchema, resource: boolean): Pruner {
  const preserve = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const kept = resource || schema['x-kubernetes-embedded-resource'] === true ? envelope : [];
  const members = new Map<string, Pruner>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (!kept.includes(name)) members.set(name, pruner(property, false));
  }
  const additional = schema.additionalProperties === undefined ? undefined : pruner(additionalOf(schema) ?? {}, false);
  const items = itemsOf(schema);
  const item = items ? pruner(items, false) : preserve ? undefined : pruneAll;
  return (value) => {
    if (Array.isArray(value)) return item ? mapItems(value, item) : value;
    if (!isJsonObject(value)) return value;
    return pruneMembers(value, (key) => {
      const known = members.get(key) ?? additional;
      if (known) return known;
      return preserve || kept.includes(key) ? keepAll : undefined;
    });
  };
}

const keepAll: Pruner = (value) => value;

/** Nothing is known here: objects become empty, at any depth of lists. */
function pruneAll(value: Json): Json {
  if (Array.isArray(value)) return mapItems(value, pruneAll);
  return isJsonObject(value) && Object.keys(value).length > 0 ? {} : value;
}

function pruneMembers(value: JsonObject, prunerOf: (key: string) => Pruner | undefined): JsonObject {
  let next = value;
  const own = () => {
    if (next === value) next = { ...value };
    return next;
  };
  for (const key of Object.keys(value)) {
    const before = memberOf(value, key) as Json;
    const prune = prunerOf(key);
    if (!prune) delete own()[key];
    else {
      const after = prune(before);
      if (after !== before) putMember(own(), key, after);
    }
  }
  return next;
}
