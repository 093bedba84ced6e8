import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  memberOf,
  putMember,
  shownValue,
} from '../../base/json-value.ts';
import type { Json, ObjectMeta } from '../../base/kube-object.ts';
import { dns1035Label, type Problems } from '../../base/names.ts';
import { validateEmbeddedMetadata } from '../../registry/steps/metadata-rules.ts';
import { additionalOf, itemsOf, type JsonSchema } from '../../schema/json-schema.ts';
import type { Findings, Validator } from './findings.ts';

/** Compiles that embedded resources have an apiVersion and a kind. Undefined: the schema has none. */
export const compileEmbedded = (schema: JsonSchema): Validator | undefined =>
  compileEach(schema, ofEmbedded(isResource));

/** Compiles that lists that are sets or maps hold nothing twice. Undefined: the schema has none. */
export const compileLists = (schema: JsonSchema): Validator | undefined => compileEach(schema, ofList);

/** The rule for the embedded resources among the values of a schema. */
export const ofEmbedded =
  (rule: Validator): Own =>
  (part) =>
    part['x-kubernetes-embedded-resource'] ? rule : undefined;

type Own = (schema: JsonSchema) => Validator | undefined;

/** Compiles what each schema, at every depth, demands of its values. */
export function compileEach(schema: JsonSchema, ownOf: Own): Validator | undefined {
  const own = ownOf(schema);
  const members = compileMembers(schema, ownOf);
  const items = itemsOf(schema);
  const item = items && compileEach(items, ownOf);
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
  ownOf: Own,
): ((value: JsonObject, path: FieldPath, found: Findings) => void) | undefined {
  const named = new Map<string, Validator>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const rule = compileEach(property, ownOf);
    if (rule) named.set(name, rule);
  }
  const additional = additionalOf(schema);
  const others = additional && compileEach(additional, ownOf);
  if (named.size === 0 && !others) return undefined;
  return (value, path, found) => {
    for (const key of Object.keys(value)) {
      if (found.full) return;
      const own = named.get(key);
      const member = memberOf(value, key) as Json;
      if (own) own(member, path.child(key), found);
      else others?.(member, path.key(key), found);
    }
  };
}

function ofList(schema: JsonSchema): Validator | undefined {
  if (schema['x-kubernetes-list-type'] === 'set') return hasNothingTwice((item) => item);
  if (schema['x-kubernetes-list-type'] === 'map') {
    const keys = schema['x-kubernetes-list-map-keys'] ?? [];
    return hasNothingTwice((item) => keyOf(item, keys));
  }
  return undefined;
}

export const isResource: Validator = (value, path, found) => {
  if (!isJsonObject(value)) return;
  const metadata = memberOf(value, 'metadata');
  const errors = [
    ...identityErrors(memberOf(value, 'apiVersion'), path.child('apiVersion'), apiVersionProblems),
    ...identityErrors(memberOf(value, 'kind'), path.child('kind'), kindProblems),
    ...(isJsonObject(metadata) ? validateEmbeddedMetadata(metadata as ObjectMeta, String(path.child('metadata'))) : []),
  ];
  for (const { reason, field, text } of errors) found.add(reason, field, text);
};

function identityErrors(given: Json | undefined, at: FieldPath, problemsOf: (text: string) => Problems): FieldError[] {
  if (given === undefined || given === null) return [required(at, 'must not be empty')];
  if (typeof given !== 'string') return [invalidValue(at, given, 'must be a string')];
  if (given === '') return [invalidValue(at, given, 'must not be empty')];
  return problemsOf(given).map((problem) => invalidValue(at, given, problem));
}

const apiVersionProblems = (text: string): Problems =>
  text.split('/').length > 2 ? ['must be a version, or a group and a version with a slash between them'] : [];

/** Capitals are fine. */
const kindProblems = (text: string): Problems => dns1035Label(text.toLowerCase());

/** The key fields that an item has, null none; undefined: the item is no object. */
function keyOf(item: Json, keys: readonly string[]): Json | undefined {
  if (item === null) return {};
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
    const seen = new Map<string, number>();
    for (const [i, item] of value.entries()) {
      const key = identity(item);
      if (key === undefined) {
        const why = `Invalid value: ${shownValue(item)}: must be an object to have keys`;
        found.add('FieldValueInvalid', String(path.index(i)), why);
        return;
      }
      const text = canonicalJson(key);
      const times = (seen.get(text) ?? 0) + 1;
      seen.set(text, times);
      // What is there a third time was told of already.
      if (times === 2) found.add('FieldValueDuplicate', String(path.index(i)), `Duplicate value: ${shownValue(key)}`);
    }
  };
