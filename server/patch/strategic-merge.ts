import { cloneJson } from '../base/clone.ts';
import { isJsonObject, type JsonObject, memberOf, putMember } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';
import type { Field, Structure } from '../schema/structure.ts';
import { MalformedPatchError } from './patch-error.ts';
import { type Named, orderElements } from './strategic-order.ts';

/** The instruction of a map, or of an element of a keyed list. */
const directive = '$patch';
const retainKeys = '$retainKeys';
const deleteDirective = '$deleteFromPrimitiveList';
const orderDirective = '$setElementOrder';
const deletePrefix = `${deleteDirective}/`;
const orderPrefix = `${orderDirective}/`;

/**
 * Applies a strategic merge patch: maps merge, lists merge where the structure says so and are replaced elsewhere,
 * and directives delete, replace, reorder.
 * @param patch null changes nothing
 * @returns a fresh value that shares nothing with its arguments; it need not fit the structure
 * @throws MalformedPatchError the patch is not an object, or its directives make no sense
 */
export function applyStrategicMerge(document: JsonObject, patch: Json, structure: Structure): JsonObject {
  if (patch === null) return cloneJson(document);
  if (!isJsonObject(patch)) throw new MalformedPatchError('error decoding patch: a strategic merge patch is an object');
  return mergeMaps(document, patch, structure);
}

/** The field of that name; entries of maps have a type and no markers. */
function fieldOf(structure: Structure | undefined, name: string): Field | undefined {
  if (structure?.type === 'struct') return structure.fields.get(name);
  return structure?.type === 'map' ? { type: structure.values } : undefined;
}

function mergeMaps(original: JsonObject, patch: JsonObject, structure: Structure | undefined): JsonObject {
  const instruction = memberOf(patch, directive);
  if (instruction !== undefined) return instructedMap(instruction, patch);
  const result = retained(original, patch);
  const done = new Set<string>([retainKeys]);
  for (const key of Object.keys(patch)) {
    checkDirective(key);
    if (key.startsWith(orderPrefix)) mergeOrdered(result, patch, key, structure, done);
  }
  for (const key of Object.keys(patch)) {
    if (!done.has(key)) mergeMember(result, key, patch[key] as Json, structure);
  }
  return result;
}

/** A directive about a list says which one behind a slash. @throws MalformedPatchError */
function checkDirective(key: string): void {
  const names = (word: string, prefix: string) => key.startsWith(word) && !key.startsWith(prefix);
  if (names(deleteDirective, deletePrefix)) throw new MalformedPatchError('invalid patch format of primitive list');
  if (names(orderDirective, orderPrefix)) throw new MalformedPatchError('invalid patch format of setElementOrder list');
}

function instructedMap(instruction: Json, patch: JsonObject): JsonObject {
  if (instruction === 'delete') return {};
  if (instruction !== 'replace') throw unknownInstruction(instruction);
  const result = cloneJson(patch);
  delete result[directive];
  return result;
}

const unknownInstruction = (instruction: Json) =>
  new MalformedPatchError(
    `unknown patch type: ${typeof instruction === 'string' ? instruction : `a ${typeof instruction}`}`,
  );

/** A copy of the original, without the keys that the patch does not retain. */
function retained(original: JsonObject, patch: JsonObject): JsonObject {
  const kept = memberOf(patch, retainKeys);
  const result = cloneJson(original);
  if (kept === undefined) return result;
  if (!Array.isArray(kept)) throw new MalformedPatchError('invalid patch format of retainKeys');
  const names = new Set(kept);
  for (const key of Object.keys(patch)) {
    const plain = key !== retainKeys && !key.startsWith(deletePrefix) && !key.startsWith(orderPrefix);
    if (plain && patch[key] !== null && !names.has(key))
      throw new MalformedPatchError('invalid patch format of retainKeys');
  }
  for (const key of Object.keys(result)) if (!names.has(key)) delete result[key];
  return result;
}

/** Merges the list that a `$setElementOrder` directive is about, and orders it. */
function mergeOrdered(
  result: JsonObject,
  patch: JsonObject,
  directiveKey: string,
  structure: Structure | undefined,
  done: Set<string>,
): void {
  const name = directiveKey.slice(orderPrefix.length);
  const order = patch[directiveKey];
  const current = memberOf(result, name);
  const patched = memberOf(patch, name);
  done.add(directiveKey).add(name);
  if (!Array.isArray(order)) throw new MalformedPatchError(`${directiveKey} is not a list`);
  for (const list of [current, patched]) {
    if (list !== undefined && list !== null && !Array.isArray(list))
      throw new MalformedPatchError(`${name} is not a list`);
  }
  const field = fieldOf(structure, name);
  if (structure?.type === 'struct' && !field) throw new MalformedPatchError(`${directiveKey} names an unknown field`);
  const mergeKey = field?.patch?.mergeKey;
  checkOrder((patched as Json[] | null) ?? [], order, mergeKey);
  if (patched === null) {
    delete result[name];
    return;
  }
  const merged = Array.isArray(current)
    ? Array.isArray(patched)
      ? mergeLists(current, patched, field)
      : current
    : cloneJson(patched);
  if (Array.isArray(merged)) {
    putMember(result, name, orderElements(merged, order, (current as Json[] | undefined) ?? [], naming(mergeKey)));
  }
}

/** The elements of the patch must stand in the order list, in the same order; an empty one orders nothing. */
function checkOrder(patched: readonly Json[], order: readonly Json[], mergeKey: string | undefined): void {
  if (order.length === 0) return;
  const nameOf = naming(mergeKey);
  const names = order.map(nameOf);
  let at = 0;
  for (const element of patched) {
    if (isJsonObject(element) && memberOf(element, directive) === 'delete') continue;
    const position = names.indexOf(nameOf(element), at);
    if (position < 0) throw new MalformedPatchError('the order of the patch does not match its $setElementOrder list');
    at = position + 1;
  }
}

/** How elements are told apart: by their merge key, or by themselves. */
function naming(mergeKey: string | undefined): Named {
  if (mergeKey === undefined) return scalarName;
  return (element) => {
    const value = isJsonObject(element) ? memberOf(element, mergeKey) : undefined;
    if (value === undefined)
      throw new MalformedPatchError(`an element of the list does not contain its merge key: ${mergeKey}`);
    return scalarName(value);
  };
}

function scalarName(value: Json): string {
  if (typeof value === 'object' && value !== null)
    throw new MalformedPatchError('elements of the list are not told apart by text');
  return `${typeof value}:${String(value)}`;
}

function mergeMember(result: JsonObject, key: string, patch: Json, structure: Structure | undefined): void {
  const removes = key.startsWith(deletePrefix);
  const name = removes ? key.slice(deletePrefix.length) : key;
  if (patch === null) {
    delete result[name];
    return;
  }
  const current = memberOf(result, name);
  const field = fieldOf(structure, name);
  if (removes) {
    // A list that is not merged becomes what was to be taken from it.
    if (Array.isArray(current) && Array.isArray(patch))
      putMember(result, name, field?.patch?.merge ? without(current, patch) : cloneJson(patch));
  } else if (isJsonObject(current) && isJsonObject(patch)) {
    const merged = replacesMap(field) ? cloneJson(patch) : mergeMaps(current, patch, field?.type);
    putMember(result, name, merged);
  } else if (Array.isArray(current) && Array.isArray(patch)) {
    putMember(result, name, mergeLists(current, patch, field));
  } else putMember(result, name, withoutNulls(patch));
}

/** A copy without the keys that the patch deletes: there is nothing that they could be deleted from. */
function withoutNulls(patch: Json): Json {
  if (Array.isArray(patch)) return patch.map(withoutNulls);
  if (!isJsonObject(patch)) return patch;
  const result: JsonObject = {};
  for (const key of Object.keys(patch))
    if (patch[key] !== null) putMember(result, key, withoutNulls(patch[key] as Json));
  return result;
}

const replacesMap = (field: Field | undefined) =>
  field?.patch !== undefined && !field.patch.merge && !field.patch.retainKeys;

function without(list: readonly Json[], removed: readonly Json[]): Json[] {
  sameSort([...list, ...removed]);
  const names = new Set(removed.map(scalarName));
  return list.filter((element) => !names.has(scalarName(element)));
}

const sortOf = (value: Json) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

/** The sort of all the elements; undefined for an empty list. */
function sameSort(elements: readonly Json[]): string | undefined {
  const sorts = new Set(elements.map(sortOf));
  if (sorts.has('list') || sorts.has('null')) throw new MalformedPatchError('list elements must be scalars or maps');
  // An integer is the same sort of thing whatever its size.
  if (sorts.has('bigint')) sorts.delete('bigint') && sorts.add('number');
  if (sorts.size > 1) throw new MalformedPatchError('list element types are not identical');
  return sorts.values().next().value;
}

/** Merges two lists as their field says: by key, as a set, or the patch alone. */
function mergeLists(current: readonly Json[], patch: readonly Json[], field: Field | undefined): Json[] {
  if (!field?.patch?.merge) return cloneJson(patch) as Json[];
  const sort = sameSort([...current, ...patch]);
  if (sort === undefined) return [];
  const elements = field.type.type === 'list' ? field.type.items : undefined;
  if (sort === 'object') return mergeKeyed(current, patch, field.patch.mergeKey, elements);
  const merged = new Map([...current, ...patch].map((element) => [scalarName(element), element]));
  return orderElements([...merged.values()], patch, current, scalarName);
}

function mergeKeyed(
  current: readonly Json[],
  patch: readonly Json[],
  mergeKey: string | undefined,
  elements: Structure | undefined,
): Json[] {
  if (mergeKey === undefined) throw new MalformedPatchError('cannot merge lists of maps without a merge key');
  const nameOf = naming(mergeKey);
  const { base, rest } = instructedList(current as JsonObject[], patch as JsonObject[], nameOf);
  const merged = [...base];
  const places = new Map<string, number>();
  merged.forEach((element, place) => {
    const name = nameOf(element);
    if (!places.has(name)) places.set(name, place);
  });
  for (const element of rest) {
    const name = nameOf(element);
    const place = places.get(name);
    const known = place === undefined ? undefined : merged[place];
    if (place !== undefined && known) merged[place] = mergeMaps(known, element, elements);
    else places.set(name, merged.push(cloneJson(element)) - 1);
  }
  return orderElements(merged, rest, base, nameOf);
}

/** Carries out the directives among the elements of a patch: what they leave of the list, and the other elements. */
function instructedList(current: readonly JsonObject[], patch: readonly JsonObject[], nameOf: Named) {
  const rest: JsonObject[] = [];
  const deleted = new Set<string>();
  let replaces = false;
  for (const element of patch) {
    const instruction = memberOf(element, directive);
    if (instruction === undefined) rest.push(element);
    else if (instruction === 'delete') deleted.add(nameOf(element));
    else if (instruction === 'replace') replaces = true;
    else throw unknownInstruction(instruction);
  }
  if (replaces) return { base: cloneJson(rest), rest: [] };
  return { base: deleted.size ? current.filter((element) => !deleted.has(nameOf(element))) : current, rest };
}
