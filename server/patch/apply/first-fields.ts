import { deepEqual } from '../../base/deep-equal.ts';
import type { JsonObject } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import type { Work } from '../../base/turns/work.ts';
import type { ListType, Structure } from '../../schema/structure.ts';
import { type FieldSet, noFields } from './field-set.ts';
import { Looks } from './looks.ts';
import { ordered, sortTexts } from './path-element.ts';
import { alwaysWritten, checkLists, indexList, memberStructure, UntypedValue } from './typed-value.ts';

/** As it stands in an entry. */
export type FieldsV1 = { [element: string]: Json };

/**
 * What is always written holds something else than what it holds when nothing was said. It tells where to nobody, and to
 * find that out takes longer than all else here: one is thrown every time.
 */
const notFresh = new Error('what is always written holds something');

/**
 * What a create sets, as its one manager owns it: the same as what `compare` finds added to an object that has nothing
 * but empty metadata, written at once in the form of `fieldsV1`, in the order in which a server prints it.
 * @param ignored fields that are left out together with all below them
 * @returns undefined when the object must be compared: it does not fit the structure, or a field that is always written
 *   holds something else than nothing
 */
export function* firstFields(object: JsonObject, structure: Structure, ignored: FieldSet): Work<FieldsV1 | undefined> {
  try {
    const alike = ofLooks.find(object, structure, ignored);
    if (alike) return alike;
    const fields = yield* fieldsThere(object, structure, ignored, 'metadata');
    ofLooks.remember(object, structure, ignored, fields);
    return fields;
  } catch (error) {
    if (error instanceof UntypedValue || error === notFresh) return undefined;
    throw error;
  }
}

/** Shared by objects that look alike, like all that is stored. */
const ofLooks = new Looks<FieldsV1>();

/** The fields of two objects, where those are known to be the same ones. */
export function fieldsOfBoth(
  one: JsonObject,
  other: JsonObject,
  structure: Structure,
  ignored: FieldSet,
): FieldsV1 | undefined {
  try {
    const fields = ofLooks.find(one, structure, ignored);
    return fields && ofLooks.find(other, structure, ignored) === fields ? fields : undefined;
  } catch (error) {
    if (error instanceof UntypedValue) return undefined;
    throw error;
  }
}

/** The members of a part that was there before, although empty. So was `inside`, which is not owned as such. */
function* fieldsThere(part: JsonObject, type: Structure, ignored: FieldSet, inside?: string): Work<FieldsV1> {
  const written = alwaysWritten(type);
  const fields: FieldsV1 = {};
  for (const name of sortTexts(Object.keys(part))) {
    const value = part[name];
    const element = `f:${name}`;
    const below = ignored.below.get(element);
    if (value === undefined || below?.owned) continue;
    if (name === inside) {
      const members = yield* fieldsThere(value as JsonObject, memberStructure(type, name), below ?? noFields);
      for (const _ in members) fields[element] = members;
    } else if (written.has(name)) demandFresh(value, written.get(name));
    else fields[element] = yield* fieldsOf(value, memberStructure(type, name), below);
  }
  return fields;
}

function demandFresh(value: Json, zero: Json | undefined): void {
  if (!deepEqual(value, zero)) throw notFresh;
}

/** It is owned as one. Shared, like all that is stored. */
const whole: FieldsV1 = {};

/** What stands below a field that was set, and the map or list itself. */
function* fieldsOf(value: Json, type: Structure, ignored: FieldSet | undefined): Work<FieldsV1> {
  if (type.type === 'scalar') return whole;
  if (type.type === 'list' && type.listType !== 'atomic') return yield* fieldsOfList(value, type, ignored);
  if (type.type === 'list' || type.atomic) {
    checkLists(value, type);
    return whole;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return yield* fieldsOfMap(value, type, ignored);
  if (type.type === 'any' || value === null) return whole;
  throw new UntypedValue('expected a map');
}

function* fieldsOfMap(map: JsonObject, type: Structure, ignored: FieldSet | undefined): Work<FieldsV1> {
  const written = alwaysWritten(type);
  const names = Object.keys(map);
  if (written.size > 0) for (const name of written.keys()) if (!Object.hasOwn(map, name)) names.push(name);
  // A map whose structure always writes fields is never empty.
  if (names.length === 0) return whole;
  const fields: FieldsV1 = { '.': whole };
  for (const name of sortTexts(names)) {
    const value = Object.hasOwn(map, name) ? map[name] : written.get(name);
    const element = `f:${name}`;
    const below = ignored?.below.get(element);
    if (value !== undefined && !below?.owned)
      fields[element] = yield* fieldsOf(value, memberStructure(type, name), below);
    yield;
  }
  return fields;
}

function* fieldsOfList(list: Json, type: ListType, ignored: FieldSet | undefined): Work<FieldsV1> {
  const items = indexList(type, list);
  if (items.size === 0) return whole;
  yield;
  const fields: FieldsV1 = { '.': whole };
  for (const element of ordered(items.keys())) {
    const below = ignored?.below.get(element);
    if (!below?.owned) fields[element] = yield* fieldsOf(items.get(element) as Json, type.items, below);
    yield;
  }
  return fields;
}
