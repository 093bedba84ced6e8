import { cloneJson } from '../base/clone.ts';
import { isJsonObject, type JsonObject, putMember } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';
import { encodeJson } from '../schema/encode.ts';
import { additionalOf, itemsOf, type JsonSchema } from '../schema/json-schema.ts';

/**
 * Fills in what a schema gives a default for, and drops a null that is neither allowed nor replaced. Answers the same
 * reference when nothing changes, and shares unchanged parts: never changes its argument.
 */
export type Defaulter = (value: Json) => Json;

/**
 * Compiles the defaults of a schema. A default below an absent object is not used unless that object has one itself.
 * Members with a null: nullable ones keep it; others get their default or are dropped (`keepsNulls`: or keep it, too).
 * Items of lists without a default keep theirs.
 * Undefined: the schema can change nothing.
 */
export function compileDefaults(schema: JsonSchema, keepsNulls = false): Defaulter | undefined {
  const members = new Map<string, Member>();
  const member = (part: JsonSchema) => memberOf(part, keepsNulls);
  for (const [name, property] of Object.entries(schema.properties ?? {})) members.set(name, member(property));
  const additional = additionalOf(schema);
  const others = additional && member(additional);
  const items = itemsOf(schema);
  const item = items && itemDefaults(member(items));
  const changesMembers = members.size > 0 || others !== undefined;
  if (!changesMembers && !item) return undefined;
  return (value) => {
    if (Array.isArray(value)) return item ? mapItems(value, item) : value;
    return changesMembers && isJsonObject(value) ? fillMembers(value, members, others) : value;
  };
}

/** A null item cannot be dropped, so it stays unless there is a default. */
function itemDefaults(rule: Member): Defaulter | undefined {
  const { value, nullable, inside } = rule;
  if (value === undefined || nullable) return inside;
  return (item) => (item === null ? fresh(value, rule) : inside ? inside(item) : item);
}

/** How many bytes one object may still take in; filling runs to its end before the next begins. */
let room = Number.POSITIVE_INFINITY;

/** The defaults bring in more than they may: even a small object can have any number of places for a large one. */
export class TooManyDefaults extends Error {}

/** @param most bytes of defaults, as JSON takes them @throws TooManyDefaults */
export function fillWithin(most: number, fill: Defaulter, value: Json): Json {
  room = most;
  return fill(value);
}

interface Member {
  readonly value: Json | undefined;
  /** Of the value, as JSON takes them. */
  readonly bytes: number;
  readonly nullable: boolean;
  /** A null that is not allowed stays where there is no default, for validation to tell of it. */
  readonly keepsNull: boolean;
  readonly inside: Defaulter | undefined;
}

const memberOf = (schema: JsonSchema, keepsNulls: boolean): Member => ({
  value: schema.default ?? undefined,
  bytes: schema.default === undefined ? 0 : encodeJson(schema.default).length,
  nullable: schema.nullable === true,
  keepsNull: keepsNulls,
  inside: compileDefaults(schema, keepsNulls),
});

function fillMembers(value: JsonObject, members: ReadonlyMap<string, Member>, others: Member | undefined): JsonObject {
  let next = value;
  const own = () => {
    if (next === value) next = { ...value };
    return next;
  };
  for (const key of Object.keys(value)) {
    const rule = members.get(key) ?? others;
    if (!rule) continue;
    const before = value[key] as Json;
    const after = settle(before, rule);
    if (after === undefined) delete own()[key];
    else if (after !== before) putMember(own(), key, after);
  }
  for (const [key, rule] of members) {
    if (rule.value !== undefined && !Object.hasOwn(value, key)) putMember(own(), key, fresh(rule.value, rule));
  }
  return next;
}

/** What becomes of a member that is there; undefined: it is dropped. */
function settle(value: Json, rule: Member): Json | undefined {
  if (value !== null) return rule.inside ? rule.inside(value) : value;
  if (rule.nullable) return null;
  if (rule.value !== undefined) return fresh(rule.value, rule);
  return rule.keepsNull ? null : undefined;
}

function fresh(value: Json, rule: Member): Json {
  room -= rule.bytes;
  if (room < 0) throw new TooManyDefaults();
  const copy = cloneJson(value);
  return rule.inside ? rule.inside(copy) : copy;
}

/** Each item through `change`; the same list when none changes. */
export function mapItems(list: Json[], change: (item: Json) => Json): Json[] {
  let next: Json[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const before = list[i] as Json;
    const after = change(before);
    if (after === before) continue;
    next ??= [...list];
    next[i] = after;
  }
  return next ?? list;
}
