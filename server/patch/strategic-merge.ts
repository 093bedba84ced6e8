import { cloneJson } from '../base/clone.ts';
import { isJsonObject, type JsonObject, memberOf, putMember } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';
import type { Work } from '../base/turns/work.ts';
import type { Field, Structure } from '../schema/structure.ts';
import { MalformedPatchError } from './patch-error.ts';
import { type Name, type Named, orderElements, type Places, placesOf } from './strategic-order.ts';

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
export function* applyStrategicMerge(document: JsonObject, patch: Json, structure: Structure): Work<JsonObject> {
  if (patch === null) return cloneJson(document);
  if (!isJsonObject(patch)) throw new MalformedPatchError('error decoding patch: a strategic merge patch is an object');
  const own = cloneJson(document);
  yield;
  return yield* mergeMaps(own, patch, structure);
}

/** So many members or elements are merged at a stretch. */
const stretch = 1000;

/** The field of that name; entries of maps have a type and no markers. */
function fieldOf(structure: Structure | undefined, name: string): Field | undefined {
  if (structure?.type === 'struct') return structure.fields.get(name);
  return structure?.type === 'map' ? { type: structure.values } : undefined;
}

/** In place, unless the patch replaces the whole map. */
function* mergeMaps(result: JsonObject, patch: JsonObject, structure: Structure | undefined): Work<JsonObject> {
  const instruction = memberOf(patch, directive);
  if (instruction !== undefined) return instructedMap(instruction, patch);
  if (Object.hasOwn(patch, retainKeys)) retain(result, patch);
  const done = new Set<string>([retainKeys]);
  for (const key of Object.keys(patch)) {
    checkDirective(key);
    if (key.startsWith(orderPrefix)) yield* mergeOrdered(result, patch, key, structure, done);
  }
  let merged = 0;
  for (const key of Object.keys(patch)) {
    if (done.has(key)) continue;
    if (++merged % stretch === 0) yield;
    yield* mergeMember(result, key, patch[key] as Json, structure);
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

/** Takes out the keys that the patch does not retain. */
function retain(result: JsonObject, patch: JsonObject): void {
  const kept = patch[retainKeys];
  if (!Array.isArray(kept)) throw new MalformedPatchError('invalid patch format of retainKeys');
  const names = new Set(kept);
  for (const key of Object.keys(patch)) {
    const plain = key !== retainKeys && !key.startsWith(deletePrefix) && !key.startsWith(orderPrefix);
    if (plain && patch[key] !== null && !names.has(key))
      throw new MalformedPatchError('invalid patch format of retainKeys');
  }
  for (const key of Object.keys(result)) if (!names.has(key)) delete result[key];
}

/** Merges the list that a `$setElementOrder` directive is about, and orders it. */
function* mergeOrdered(
  result: JsonObject,
  patch: JsonObject,
  directiveKey: string,
  structure: Structure | undefined,
  done: Set<string>,
): Work<void> {
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
  const nameOf = naming(mergeKey);
  const original = yield* placesOf((current as Json[] | null | undefined) ?? [], nameOf);
  const merged = Array.isArray(current)
    ? Array.isArray(patched)
      ? yield* mergeLists(current, patched, field)
      : current
    : cloneJson(patched);
  if (!Array.isArray(merged)) return;
  putMember(result, name, yield* orderElements(merged, yield* placesOf(order, nameOf), original, nameOf));
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

function scalarName(value: Json): Name {
  if (typeof value === 'object' && value !== null)
    throw new MalformedPatchError('elements of the list are not told apart by text');
  return value;
}

function* mergeMember(result: JsonObject, key: string, patch: Json, structure: Structure | undefined): Work<void> {
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
    const merged = replacesMap(field) ? cloneJson(patch) : yield* mergeMaps(current, patch, field?.type);
    putMember(result, name, merged);
  } else if (Array.isArray(current) && Array.isArray(patch)) {
    putMember(result, name, yield* mergeLists(current, patch, field));
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
  sameSort(list, removed);
  const names = new Set(removed.map(scalarName));
  return list.filter((element) => !names.has(scalarName(element)));
}

/** An integer is the same sort of thing whatever its size. @throws MalformedPatchError */
function sortOf(value: Json): string {
  if (value === null || Array.isArray(value)) throw new MalformedPatchError('list elements must be scalars or maps');
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/** The sort of all the elements; undefined for empty lists. */
function sameSort(...lists: readonly (readonly Json[])[]): string | undefined {
  const sorts = new Set<string>();
  for (const list of lists) for (const element of list) sorts.add(sortOf(element));
  if (sorts.size > 1) throw new MalformedPatchError('list element types are not identical');
  return sorts.values().next().value;
}

/** Merges two lists as their field says: by key, as a set, or the patch alone. */
function* mergeLists(current: readonly Json[], patch: readonly Json[], field: Field | undefined): Work<Json[]> {
  if (!field?.patch?.merge) return cloneJson(patch) as Json[];
  const sort = sameSort(current, patch);
  if (sort === undefined) return [];
  yield;
  const elements = field.type.type === 'list' ? field.type.items : undefined;
  if (sort === 'object') return yield* mergeKeyed(current, patch, field.patch.mergeKey, elements);
  const original = yield* placesOf(current, scalarName);
  const wanted = yield* placesOf(patch, scalarName);
  const first = (places: Places) => (element: Json, place: number) => places.get(scalarName(element)) === place;
  const added = patch.filter(first(wanted)).filter((element) => !original.has(scalarName(element)));
  yield;
  return yield* orderElements([...current.filter(first(original)), ...added], wanted, original, scalarName);
}

function* mergeKeyed(
  current: readonly Json[],
  patch: readonly Json[],
  mergeKey: string | undefined,
  elements: Structure | undefined,
): Work<Json[]> {
  if (mergeKey === undefined) throw new MalformedPatchError('cannot merge lists of maps without a merge key');
  const nameOf = naming(mergeKey);
  const { base, rest } = instructedList(current as JsonObject[], patch as JsonObject[], nameOf);
  const merged = [...base];
  // What is merged may lose its name.
  const original = yield* placesOf(base, nameOf);
  const wanted = yield* placesOf(rest, nameOf);
  const places = new Map(original);
  for (const [number, element] of rest.entries()) {
    if (number % stretch === 0) yield;
    const name = nameOf(element);
    const place = places.get(name);
    const known = place === undefined ? undefined : merged[place];
    if (place !== undefined && known) merged[place] = yield* mergeMaps(known, element, elements);
    else places.set(name, merged.push(cloneJson(element)) - 1);
  }
  yield;
  return yield* orderElements(merged, wanted, original, nameOf);
}

/** Carries out the directives among the elements of a patch: what they leave of the list, and the other elements. */
function instructedList(current: readonly JsonObject[], patch: readonly JsonObject[], nameOf: Named) {
  const rest: JsonObject[] = [];
  const deleted = new Set<Name>();
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
