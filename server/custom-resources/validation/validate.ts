import type { FieldPath } from '../../base/field-path.ts';
import { isJsonObject, type JsonObject, memberOf, typeOf } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import type { Work } from '../../base/turns/work.ts';
import { additionalOf, itemsOf, type JsonSchema } from '../../schema/json-schema.ts';
import type { Findings } from './findings.ts';
import { andThen, few, type LongValidator, type Validator, wrongType } from './findings.ts';
import { formatNamed } from './formats.ts';
import { compileJunctors } from './validate-junctors.ts';
import { compileEnum, compileNumberRules, compileStringRules } from './validate-scalars.ts';

/**
 * Compiles a schema into one function. A wrong type does not end the check: the rules for the type that the value
 * does have still apply. Recursion follows the schema, never the value, so its depth is the schema's.
 */
export function compileValidator(schema: JsonSchema): LongValidator {
  const type = compileType(schema);
  const junctors = compileJunctors(schema, compileValidator);
  const shape = compileShape(schema);
  const noNull = compileNullable(schema);
  const members = compileEnum(schema);
  function* rest(value: Json, path: FieldPath, found: Findings): Work<void> {
    if (junctors) yield* junctors(value, path, found);
    const inner = shape?.(value, path, found);
    if (inner) yield* inner;
    if (isLongText(value)) yield;
    members?.(value, path, found);
  }
  return (value, path, found) => {
    found.examined++;
    (value === null ? noNull : type)?.(value, path, found);
    if (value !== null && (junctors || isLongText(value))) return rest(value, path, found);
    const inner = value === null ? undefined : shape?.(value, path, found);
    return members ? andThen(inner, () => members(value, path, found)) : inner;
  };
}

const longText = 256;
/** A format takes time in proportion to the text. */
const isLongText = (value: Json): boolean => typeof value === 'string' && value.length > longText;

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
function compileShape(schema: JsonSchema): LongValidator | undefined {
  const text = compileStringRules(schema);
  const number = compileNumberRules(schema);
  const list = compileList(schema);
  const object = compileObject(schema);
  if (!text && !number && !list && !object) return undefined;
  return (value, path, found) => {
    if (Array.isArray(value)) return list?.(value, path, found);
    if (isJsonObject(value)) return object?.(value, path, found);
    if (typeof value === 'string') return text?.(value, path, found);
    if (typeof value === 'number' || typeof value === 'bigint') number?.(value, path, found);
    return undefined;
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

interface Members<T> {
  readonly all: readonly T[];
  readonly check: (member: T, at: number) => Work<void> | undefined;
  readonly found: Findings;
}

/** Looks at all members of a list or an object: at a few of them at once, and the others are work. */
function each<T>(members: Members<T>): Work<void> | undefined {
  const stop = lookAtFew(members, 0);
  return stop && inTurns(members, stop);
}

/** Where a look at a few ends, and what the last of these has left to do. */
interface Stop {
  readonly next: number;
  readonly left: Work<void> | undefined;
}

function lookAtFew<T>({ all, check, found }: Members<T>, from: number): Stop | undefined {
  const began = found.examined;
  for (let at = from; at < all.length && !found.full; at++) {
    const left = check(all[at] as T, at);
    if (left || found.examined - began >= few) return { next: at + 1, left };
  }
  return undefined;
}

function* inTurns<T>(members: Members<T>, first: Stop): Work<void> {
  for (let stop: Stop | undefined = first; stop; stop = lookAtFew(members, stop.next)) {
    if (stop.left) yield* stop.left;
    yield;
  }
}

type InnerRule<T> = (value: T, path: FieldPath, found: Findings) => Work<void> | undefined;

function compileList({ minItems, maxItems, ...schema }: JsonSchema): InnerRule<readonly Json[]> | undefined {
  const items = itemsOf(schema);
  const item = items && compileValidator(items);
  if (!item && minItems === undefined && maxItems === undefined) return undefined;
  const count = (value: readonly Json[], path: FieldPath, found: Findings) => {
    if (minItems !== undefined && value.length < minItems) tooFew(path, value.length, minItems, 'items', found);
    if (maxItems !== undefined && value.length > maxItems) tooMany(path, value.length, maxItems, found);
  };
  if (!item) return (...list) => void count(...list);
  return (value, path, found) => {
    const check = (member: Json, at: number) => item(member, path.index(at), found);
    return andThen(each({ all: value, check, found }), () => count(value, path, found));
  };
}

function compileObject(schema: JsonSchema): InnerRule<JsonObject> | undefined {
  const members = compileMembers(schema);
  const required = compileRequired(schema);
  const { minProperties, maxProperties } = schema;
  if (!members && !required && minProperties === undefined && maxProperties === undefined) return undefined;
  return (value, path, found) => {
    const count = Object.keys(value).length;
    // A wrong number of members hides what is wrong inside them.
    if (minProperties !== undefined && count < minProperties) tooFew(path, count, minProperties, 'properties', found);
    else if (maxProperties !== undefined && count > maxProperties) tooMany(path, count, maxProperties, found);
    else return andThen(members?.(value, path, found), () => required?.(value, path, found));
    return undefined;
  };
}

function compileMembers(schema: JsonSchema): InnerRule<JsonObject> | undefined {
  const properties = new Map(
    Object.entries(schema.properties ?? {}).map(([name, each]) => [name, compileValidator(each)]),
  );
  const additional = additionalOf(schema);
  const others = additional && compileValidator(additional);
  const closed = schema.additionalProperties === false;
  if (properties.size === 0 && !others && !closed) return undefined;
  return (value, path, found) => {
    const check = (key: string) => {
      const member = properties.get(key) ?? others;
      if (member) return member(memberOf(value, key) as Json, path.child(key), found);
      if (closed) forbiddenMember(path.child(key), found);
      return undefined;
    };
    return each({ all: Object.keys(value), check, found });
  };
}

const forbiddenMember = (path: FieldPath, found: Findings) =>
  found.add('FieldValueInvalid', String(path), `Invalid value: "": ${path} in body is a forbidden property`);

function compileRequired({
  required = [],
}: JsonSchema): ((value: JsonObject, path: FieldPath, found: Findings) => void) | undefined {
  if (required.length === 0) return undefined;
  return (value, path, found) => {
    for (const name of required) {
      if (!Object.hasOwn(value, name)) found.add('FieldValueRequired', String(path.child(name)), 'Required value');
    }
  };
}
