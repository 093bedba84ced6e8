import { deepEqual } from '../../base/deep-equal.ts';
import { isJsonObject, type JsonObject } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import type { Structure } from '../../schema/structure.ts';
import type { FieldSet } from './field-set.ts';
import { ordered } from './path-element.ts';
import { alwaysWritten, checkLists, indexList, memberStructure, UntypedValue } from './typed-value.ts';

type FieldsV1 = { [element: string]: Json };

/**
 * What a create sets, as its one manager owns it: the same as what `compare` finds added to an object that has nothing
 * but empty metadata, written at once in the form of `fieldsV1`.
 * @param ignored fields that are left out together with all below them
 * @returns undefined when the object must be compared: it does not fit the structure, or a field that is always written
 *   holds something else than nothing
 */
export function firstFields(object: JsonObject, structure: Structure, ignored: FieldSet): FieldsV1 | undefined {
  try {
    return fieldsOfObject(object, structure, ignored);
  } catch (error) {
    if (error instanceof UntypedValue) return undefined;
    throw error;
  }
}

function fieldsOfObject(object: JsonObject, structure: Structure, ignored: FieldSet): FieldsV1 | undefined {
  const { metadata, ...content } = object;
  const at = ignored.below.get('f:metadata');
  if (!isJsonObject(metadata) || !at || !startsEmpty(content, structure, ignored)) return undefined;
  const type = memberStructure(structure, 'metadata');
  if (!startsEmpty(metadata, type, at)) return undefined;
  const fields = fieldsIn(content, structure, ignored, isWritten(structure));
  const own = fieldsIn(metadata, type, at, isWritten(type));
  if (Object.keys(own).length === 0) return sorted(fields);
  return sorted({ ...fields, 'f:metadata': sorted(own) });
}

type Skip = (name: string) => boolean;

const isWritten = (type: Structure): Skip => {
  const written = alwaysWritten(type);
  return (name) => written.has(name);
};
const none: Skip = () => false;

/** Whether what is always written holds what it holds when nothing was said. */
function startsEmpty(object: JsonObject, type: Structure, ignored: FieldSet): boolean {
  for (const [name, zero] of alwaysWritten(type)) {
    if (ignored.below.get(`f:${name}`)?.owned || !Object.hasOwn(object, name)) continue;
    if (!deepEqual(object[name], zero)) return false;
  }
  return true;
}

/** The members of a map by their elements, in no order. */
function fieldsIn(map: JsonObject, type: Structure, ignored: FieldSet | undefined, skip: Skip): FieldsV1 {
  const fields: FieldsV1 = {};
  for (const name in map) {
    const value = map[name];
    if (value === undefined || skip(name)) continue;
    const element = `f:${name}`;
    const below = ignored?.below.get(element);
    if (!below?.owned) fields[element] = fieldsOf(value, memberStructure(type, name), below);
  }
  return fields;
}

/** What stands below a field that was set, and the map or list itself. Empty: it is owned as one. */
function fieldsOf(value: Json, type: Structure, ignored: FieldSet | undefined): FieldsV1 {
  if (type.type === 'scalar') return {};
  if (type.type === 'list' && type.listType !== 'atomic') {
    const fields: FieldsV1 = {};
    for (const [element, item] of indexList(type, value)) {
      const below = ignored?.below.get(element);
      if (!below?.owned) fields[element] = fieldsOf(item, type.items, below);
    }
    return Array.isArray(value) && value.length > 0 ? { '.': {}, ...sorted(fields) } : {};
  }
  if (type.type === 'list' || type.atomic) {
    checkLists(value, type);
    return {};
  }
  if (!isJsonObject(value)) {
    if (type.type === 'any' || value === null) return {};
    throw new UntypedValue('expected a map');
  }
  // A map whose structure always writes fields is never empty.
  if (Object.keys(value).length === 0 && alwaysWritten(type).size === 0) return {};
  const fields = fieldsIn(value, type, ignored, none);
  for (const [name, zero] of alwaysWritten(type)) {
    const element = `f:${name}`;
    const below = ignored?.below.get(element);
    if (!Object.hasOwn(value, name) && !below?.owned)
      fields[element] = fieldsOf(zero, memberStructure(type, name), below);
  }
  return { '.': {}, ...sorted(fields) };
}

/** In the order in which a server prints them. */
function sorted(fields: FieldsV1): FieldsV1 {
  const names = ordered(Object.keys(fields));
  const inOrder: FieldsV1 = {};
  for (const name of names) inOrder[name] = fields[name] as FieldsV1;
  return inOrder;
}
