import { perObject } from '../../base/caches/memo.ts';
import { isJsonObject, type JsonObject, memberOf } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import type { Field, ListType, StructType, Structure } from '../../schema/structure.ts';
import { type FieldSet, noFields, ownedField } from './field-set.ts';
import { keyElement, singleKeyElement, spellPath, valueElement } from './path-element.ts';

/** A value does not fit its structure; never leaves this folder. */
export class UntypedValue extends Error {}

const anything: Structure = { type: 'any' };

/**
 * How a value is owned: `map` member by member, `list` element by element, `leaf` as one. Free-form values tell by
 * themselves: objects are maps, all else is a leaf. An atomic part is a leaf.
 */
export type Shape = 'leaf' | 'map' | 'list';

export function shapeOf(structure: Structure, value: Json | undefined): Shape {
  switch (structure.type) {
    case 'scalar':
      return 'leaf';
    case 'list':
      return structure.listType === 'atomic' ? 'leaf' : 'list';
    case 'any':
      return isJsonObject(value) && !structure.atomic ? 'map' : 'leaf';
    default:
      return structure.atomic ? 'leaf' : 'map';
  }
}

/** The structure of a member of something with the shape `map`. */
export function memberStructure(structure: Structure, name: string): Structure {
  if (structure.type === 'struct') return structure.fields.get(name)?.type ?? anything;
  return structure.type === 'map' ? structure.values : anything;
}

/** Whether a member is a declared field, which a manager that owns something below it holds in being. */
export const isDeclaredField = (structure: Structure, name: string) =>
  structure.type === 'struct' && structure.fields.has(name);

const zeros: Readonly<Record<string, Json>> = {
  string: '',
  bytes: '',
  boolean: false,
  int32: 0,
  int64: 0,
  double: 0,
  intOrString: 0,
};

/** What an always-written field holds when nothing was said. */
function zeroOf({ type }: Field): Json {
  if (type.type === 'struct') return {};
  return (type.type === 'scalar' ? zeros[type.scalar] : undefined) ?? null;
}

const nothingWritten: ReadonlyMap<string, Json> = new Map();

/** A list or map that is kept when empty is there as null when it is not set. */
const isNullWhenUnset = ({ empty, type }: Field) => empty === 'kept' && (type.type === 'list' || type.type === 'map');

/** The fields that are always there, with what they hold when nothing was said; lists and maps hold null. */
export const alwaysWritten = (structure: Structure): ReadonlyMap<string, Json> =>
  structure.type === 'struct' ? (writtenIn.get(structure) ?? findWritten(structure)) : nothingWritten;

const writtenIn = new WeakMap<StructType, ReadonlyMap<string, Json>>();

function findWritten(structure: StructType): ReadonlyMap<string, Json> {
  const zeros = new Map<string, Json>(structure.required.map((name) => [name, null]));
  for (const [name, field] of structure.fields) {
    if (field.empty === 'written') zeros.set(name, zeroOf(field));
    else if (isNullWhenUnset(field)) zeros.set(name, null);
  }
  writtenIn.set(structure, zeros);
  return zeros;
}

/** What stands for a key that an element leaves out. */
function keyDefault(list: ListType, key: string): Json | undefined {
  const field = list.items.type === 'struct' ? list.items.fields.get(key) : undefined;
  return field?.default ?? (field?.empty === 'written' ? zeroOf(field) : undefined);
}

/** The path element of an element of a list that is merged. @throws UntypedValue it has no such element */
export function listElement(list: ListType, element: Json): string {
  if (list.listType === 'set') {
    if (typeof element === 'object') throw new UntypedValue('an element of a set must be a scalar');
    return valueElement(element);
  }
  if (!isJsonObject(element)) throw new UntypedValue('an element of a list with keys must be a map');
  const [first = '', ...others] = list.keys;
  if (others.length === 0) return singleKeyElement(first, keyOf(list, element, first));
  return keyElement(list.keys.map((key) => [key, keyOf(list, element, key)]));
}

function keyOf(list: ListType, element: JsonObject, key: string): Json {
  // Null is a value like any other here.
  const value = Object.hasOwn(element, key) ? memberOf(element, key) : keyDefault(list, key);
  if (value === undefined) throw new UntypedValue(`an element of the list omits its key ${JSON.stringify(key)}`);
  return value;
}

/** The elements of a merged list by their path elements, in order. @throws UntypedValue also when two are alike */
export function indexList(list: ListType, value: Json | undefined): Map<string, Json> {
  const index = new Map<string, Json>();
  if (value === undefined || value === null) return index;
  if (!Array.isArray(value)) throw new UntypedValue('expected a list');
  for (const each of value) {
    const element = listElement(list, each);
    if (index.has(element)) throw new UntypedValue(`duplicate entries for key ${spellPath([element])}`);
    index.set(element, each);
  }
  return index;
}

/** Whether lists with keys or sets stand anywhere in a structure; it may refer to itself. Worked out once. */
const hasKeyedLists = perObject((structure: Structure) => reachesKeyedList(structure, new Set()));

function reachesKeyedList(structure: Structure, seen: Set<Structure>): boolean {
  if (structure.type === 'scalar' || structure.type === 'any' || seen.has(structure)) return false;
  seen.add(structure);
  if (structure.type === 'list') return structure.listType !== 'atomic' || reachesKeyedList(structure.items, seen);
  if (structure.type === 'map') return reachesKeyedList(structure.values, seen);
  for (const { type } of structure.fields.values()) if (reachesKeyedList(type, seen)) return true;
  return false;
}

/**
 * Checks the lists inside of a part that is owned as one.
 * @throws UntypedValue elements of a list cannot be told apart
 */
export function checkLists(value: Json | undefined, structure: Structure): void {
  if (typeof value !== 'object' || value === null || !hasKeyedLists(structure)) return;
  if (structure.type === 'list' && Array.isArray(value)) {
    if (structure.listType !== 'atomic') indexList(structure, value);
    for (const item of value) checkLists(item, structure.items);
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) checkLists(value[name], memberStructure(structure, name));
  }
}

/**
 * The fields that a configuration names: every leaf, every list element and map entry, and empty maps.
 * @param ignored fields that are left out together with all below them
 * @throws UntypedValue a list cannot be keyed
 */
export function fieldSetOf(value: JsonObject, structure: Structure, ignored = noFields): FieldSet {
  const fields = fieldsNamed(value, structure, ignored, false);
  return fields.owned ? noFields : fields;
}

/** @param entry it is an entry of a map or an element of a list, which is owned itself */
function fieldsNamed(value: Json, type: Structure, ignored: FieldSet | undefined, entry: boolean): FieldSet {
  if (ignored?.owned) return noFields;
  if (shapeOf(type, value) === 'leaf') return ownedField;
  const below = new Map<string, FieldSet>();
  let empty = value === null;
  if (type.type === 'list') {
    for (const [element, item] of indexList(type, value)) {
      const fields = fieldsNamed(item, type.items, ignored?.below.get(element), true);
      if (fields !== noFields) below.set(element, fields);
    }
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const names = Object.keys(value);
    empty = names.length === 0;
    for (const name of names) {
      const element = `f:${name}`;
      const declared = type.type === 'struct' && type.fields.has(name);
      const member = value[name] as Json;
      const fields = fieldsNamed(member, memberStructure(type, name), ignored?.below.get(element), !declared);
      if (fields !== noFields) below.set(element, fields);
    }
  }
  if (below.size > 0) return { owned: entry || empty, below };
  return entry || empty ? ownedField : noFields;
}

const wholes = new WeakMap<FieldSet, { readonly structure: Structure; readonly fields: FieldSet }>();

/**
 * A set that was written when the structure may have been another: what is owned as one by now counts as owned whole
 * by whoever owned something in it. The same set where nothing is to be changed.
 */
export function ownedWhole(set: FieldSet, structure: Structure): FieldSet {
  const known = wholes.get(set);
  if (known?.structure === structure) return known.fields;
  const fields = collapse(set, structure);
  wholes.set(set, { structure, fields });
  return fields;
}

const isAtomic = (structure: Structure) =>
  structure.type === 'list' ? structure.listType === 'atomic' : 'atomic' in structure && structure.atomic;

function collapse(set: FieldSet, structure: Structure): FieldSet {
  if (set.below.size === 0 || structure.type === 'any') return set;
  if (isAtomic(structure)) return ownedField;
  let below: Map<string, FieldSet> | undefined;
  for (const [element, child] of set.below) {
    const type = structure.type === 'list' ? structure.items : memberStructure(structure, element.slice(2));
    const collapsed = collapse(child, type);
    if (collapsed === child) continue;
    below ??= new Map(set.below);
    below.set(element, collapsed);
  }
  return below ? { owned: set.owned, below } : set;
}
