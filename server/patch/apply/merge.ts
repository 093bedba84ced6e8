import { cloneJson } from '../../base/clone.ts';
import { isJsonObject, type JsonObject, putMember } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import type { ListType, Structure } from '../../schema/structure.ts';
import type { FieldSet } from './field-set.ts';
import { fieldElement } from './path-element.ts';
import { indexList, isDeclaredField, listElement, memberStructure, shapeOf } from './typed-value.ts';

/**
 * Merges an applied configuration into the live object: its leaves win, maps and keyed lists are merged.
 * @returns a fresh value that shares nothing with its arguments
 * @throws UntypedValue one of them has a list that cannot be keyed
 */
export function mergeTyped(live: JsonObject, config: JsonObject, structure: Structure): JsonObject {
  const merged: JsonObject = {};
  for (const name of Object.keys(live)) {
    const mine = Object.hasOwn(config, name) ? config[name] : undefined;
    const theirs = live[name] as Json;
    const value = mine === undefined ? cloneJson(theirs) : merge(theirs, mine, memberStructure(structure, name));
    putMember(merged, name, value);
  }
  for (const name of Object.keys(config)) {
    if (!Object.hasOwn(live, name)) putMember(merged, name, cloneJson(config[name] as Json));
  }
  return merged;
}

function merge(live: Json, config: Json, structure: Structure): Json {
  const shape = shapeOf(structure, config ?? live);
  if (shape === 'map' && isJsonObject(live)) {
    if (isJsonObject(config)) return mergeTyped(live, config, structure);
    if (config === null && Object.keys(live).length > 0) return cloneJson(live);
  }
  if (shape === 'list' && structure.type === 'list' && Array.isArray(live)) {
    if (Array.isArray(config)) return mergeLists(live, config, structure);
    if (config === null && live.length > 0) return cloneJson(live);
  }
  return cloneJson(config);
}

/**
 * The applied elements keep their order. An element that only the live list has stays in front of the shared one
 * that it preceded.
 */
function mergeLists(live: Json[], config: Json[], structure: ListType): Json[] {
  const theirs = indexList(structure, live);
  const mine = indexList(structure, config);
  const merged: Json[] = [];
  const before = theirs.entries();
  let next = before.next().value;
  /** Takes what only the live list has, up to the element `until`; shared elements come when it is their turn. */
  const takeLive = (until: string | undefined) => {
    for (; next && next[0] !== until; next = before.next().value) {
      if (!mine.has(next[0])) merged.push(cloneJson(next[1]));
    }
  };
  let waiting: string[] = [];
  const takeApplied = (elements: readonly string[]) => {
    for (const element of elements) {
      const item = mine.get(element) as Json;
      const known = theirs.get(element);
      merged.push(known === undefined ? cloneJson(item) : merge(known, item, structure.items));
    }
  };
  for (const element of mine.keys()) {
    waiting.push(element);
    if (!theirs.has(element)) continue;
    takeLive(element);
    takeApplied(waiting);
    waiting = [];
  }
  takeLive(undefined);
  takeApplied(waiting);
  return merged;
}

/**
 * Takes out what a manager applied last and nobody holds any more. A part that is held and of which nothing is left is
 * null.
 * @param last what it applied last
 * @param held what all managers hold now, this one's new configuration included
 * @returns the value, changed in place where that is possible
 */
export function prune(value: JsonObject, structure: Structure, last: FieldSet, held: FieldSet): JsonObject {
  for (const name of Object.keys(value)) {
    const element = fieldElement(name);
    const was = last.below.get(element);
    if (!was) continue;
    const member = value[name] as Json;
    const inner = memberStructure(structure, name);
    const is = held.below.get(element) ?? nothing;
    const declared = isDeclaredField(structure, name);
    if (holds(was, declared) && !holds(is, declared)) delete value[name];
    else putMember(value, name, pruneBelow(member, inner, was, is));
  }
  return value;
}

const nothing: FieldSet = { owned: false, below: new Map() };

/** A declared field is held by whoever holds something below it; a map entry or list element only by itself. */
const holds = (set: FieldSet, declared: boolean) => set.owned || (declared && set.below.size > 0);

function hasMembers(value: Json, structure: Structure): boolean {
  const shape = shapeOf(structure, value);
  if (shape === 'map') return isJsonObject(value) && Object.keys(value).length > 0;
  return shape === 'list' && Array.isArray(value) && value.length > 0;
}

/** Null when nothing is left that had something before. */
function pruneBelow(value: Json, structure: Structure, last: FieldSet, held: FieldSet): Json {
  if (!hasMembers(value, structure)) return value;
  if (isJsonObject(value)) {
    const left = prune(value, structure, last, held);
    return Object.keys(left).length > 0 ? left : null;
  }
  if (structure.type !== 'list') return value;
  const left = pruneList(value as Json[], structure, last, held);
  return left.length > 0 ? left : null;
}

function pruneList(list: Json[], structure: ListType, last: FieldSet, held: FieldSet): Json[] {
  const left: Json[] = [];
  for (const item of list) {
    const element = listElement(structure, item);
    const was = last.below.get(element);
    const is = held.below.get(element) ?? nothing;
    if (!was) left.push(item);
    else if (!holds(was, false) || holds(is, false)) left.push(pruneBelow(item, structure.items, was, is));
  }
  return left;
}
