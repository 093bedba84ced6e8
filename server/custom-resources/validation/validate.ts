import type { FieldPath } from '../../base/field-path.ts';
import { isJsonObject, type JsonObject, memberOf, typeOf } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import { additionalOf, itemsOf, type JsonSchema } from '../../schema/json-schema.ts';
import type { Findings } from './findings.ts';
import { type Validator, wrongType } from './findings.ts';
import { formatNamed } from './formats.ts';
import { compileJunctors } from './validate-junctors.ts';
import { compileEnum, compileNumberRules, compileStringRules } from './validate-scalars.ts';

/**
 * Compiles a schema into one function. A wrong type does not end the check: the rules for the type that the value
 * does have still apply. Recursion follows the schema, never the value, so its depth is the schema's.
 */
export function compileValidator(schema: JsonSchema): Validator {
  const rules: Validator[] = [];
  for (const rule of [compileType(schema), compileJunctors(schema, compileValidator), compileShape(schema)]) {
    if (rule) rules.push(rule);
  }
  const type = compileNullable(schema);
  const members = compileEnum(schema);
  if (members) rules.push(members);
  return (value, path, found) => {
    found.examined++;
    if (value === null) {
      type?.(value, path, found);
      members?.(value, path, found);
      return;
    }
    for (const rule of rules) rule(value, path, found);
  };
}

const typesOf = (schema: JsonSchema): readonly string[] => {
  if (schema['x-kubernetes-int-or-string']) return ['integer', 'string'];
  return schema.type ? [schema.type] : [];
};

function compileNullable(schema: JsonSchema): Validator | undefined {
  const types = typesOf(schema);
  if (schema.nullable || types.length === 0) return undefined;
  return (_, path, found) => wrongType(path, types.join(','), '"null"', found);
}

function compileType(schema: JsonSchema): Validator | undefined {
  const types = typesOf(schema);
  const wanted = types.join(',');
  const { format = '' } = schema;
  if (types.length === 0) return formatNamed(format) && compileText(format);
  // A list is taken to have the format, unless a number is wanted.
  const formatted = formatNamed(format) !== undefined && !types.includes('number') && !types.includes('integer');
  return (value, path, found) => {
    if (formatted && Array.isArray(value)) return;
    const type = typeOf(value);
    const fits = types.includes(type) || (type === 'integer' && wanted === 'number');
    if (!fits) wrongType(path, wanted, JSON.stringify(type), found);
  };
}

/** What has a format, and no type, is a text. */
const compileText =
  (format: string): Validator =>
  (value, path, found) => {
    if (typeof value !== 'string' && !Array.isArray(value))
      wrongType(path, format, JSON.stringify(typeOf(value)), found);
  };

/** The rules that depend on what the value is. */
function compileShape(schema: JsonSchema): Validator | undefined {
  const text = compileStringRules(schema);
  const number = compileNumberRules(schema);
  const list = compileList(schema);
  const object = compileObject(schema);
  if (!text && !number && !list && !object) return undefined;
  return (value, path, found) => {
    if (typeof value === 'string') text?.(value, path, found);
    else if (typeof value === 'number' || typeof value === 'bigint') number?.(value, path, found);
    else if (Array.isArray(value)) list?.(value, path, found);
    else if (isJsonObject(value)) object?.(value, path, found);
  };
}

const tooFew = (path: FieldPath, count: number, limit: number, what: string, found: Findings) =>
  found.add(
    'FieldValueInvalid',
    String(path),
    `Invalid value: ${count}: ${path} in body should have at least ${limit} ${what}`,
  );

const tooMany = (path: FieldPath, count: number, limit: number, found: Findings) =>
  found.add('FieldValueTooMany', String(path), `Too many: ${count}: must have at most ${limit} items`);

type ListRule = (value: readonly Json[], path: FieldPath, found: Findings) => void;

function compileList({ minItems, maxItems, ...schema }: JsonSchema): ListRule | undefined {
  const items = itemsOf(schema);
  const item = items && compileValidator(items);
  if (!item && minItems === undefined && maxItems === undefined) return undefined;
  return (value, path, found) => {
    if (item) for (let i = 0; i < value.length && !found.full; i++) item(value[i] as Json, path.index(i), found);
    if (minItems !== undefined && value.length < minItems) tooFew(path, value.length, minItems, 'items', found);
    if (maxItems !== undefined && value.length > maxItems) tooMany(path, value.length, maxItems, found);
  };
}

type ObjectRule = (value: JsonObject, path: FieldPath, found: Findings) => void;

function compileObject(schema: JsonSchema): ObjectRule | undefined {
  const members = compileMembers(schema);
  const required = compileRequired(schema);
  const { minProperties, maxProperties } = schema;
  if (!members && !required && minProperties === undefined && maxProperties === undefined) return undefined;
  return (value, path, found) => {
    const count = Object.keys(value).length;
    // A wrong number of members hides what is wrong inside them.
    if (minProperties !== undefined && count < minProperties) tooFew(path, count, minProperties, 'properties', found);
    else if (maxProperties !== undefined && count > maxProperties) tooMany(path, count, maxProperties, found);
    else {
      members?.(value, path, found);
      required?.(value, path, found);
    }
  };
}

function compileMembers(schema: JsonSchema): ObjectRule | undefined {
  const properties = new Map(
    Object.entries(schema.properties ?? {}).map(([name, each]) => [name, compileValidator(each)]),
  );
  const additional = additionalOf(schema);
  const others = additional && compileValidator(additional);
  const closed = schema.additionalProperties === false;
  if (properties.size === 0 && !others && !closed) return undefined;
  return (value, path, found) => {
    for (const key of Object.keys(value)) {
      if (found.full) return;
      const check = properties.get(key) ?? others;
      if (check) check(memberOf(value, key) as Json, path.child(key), found);
      else if (closed) forbiddenMember(path.child(key), found);
    }
  };
}

const forbiddenMember = (path: FieldPath, found: Findings) =>
  found.add('FieldValueInvalid', String(path), `Invalid value: "": ${path} in body is a forbidden property`);

function compileRequired({ required = [] }: JsonSchema): ObjectRule | undefined {
  if (required.length === 0) return undefined;
  return (value, path, found) => {
    for (const name of required) {
      if (!Object.hasOwn(value, name)) found.add('FieldValueRequired', String(path.child(name)), 'Required value');
    }
  };
}
