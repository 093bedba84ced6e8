import { deepEqual } from '../../base/deep-equal.ts';
import { isJsonObject, type JsonObject } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import type { ListType, Structure } from '../../schema/structure.ts';
import { type FieldSet, FieldSetBuilder, isEmptySet, noFields } from './field-set.ts';
import { fieldElement } from './path-element.ts';
import { alwaysWritten, checkLists, indexList, memberStructure, shapeOf, UntypedValue } from './typed-value.ts';

/** What is different between two values: leaves, and the maps, lists and list elements that came or went. */
export interface Differences {
  /** In the second alone. */
  readonly added: FieldSet;
  readonly modified: FieldSet;
  /** In the first alone. */
  readonly removed: FieldSet;
}

const noDifferences: Differences = { added: noFields, modified: noFields, removed: noFields };

export const isSame = ({ added, modified, removed }: Differences) =>
  isEmptySet(added) && isEmptySet(modified) && isEmptySet(removed);

/**
 * Compares two values of one structure. Leaves are compared as they stand; a field that is always written counts as
 * there.
 * @param ignored fields that are left out together with all below them
 * @throws UntypedValue one of them does not fit the structure
 */
export function compare(
  before: JsonObject,
  after: JsonObject,
  structure: Structure,
  ignored: FieldSet = noFields,
): Differences {
  const comparison = new Comparison();
  comparison.maps(before, after, structure, ignored);
  return comparison.result();
}

/** A map whose structure always writes fields is never empty. */
const isEmptyPart = (value: Json | undefined, type: Structure) =>
  value === null ||
  (Array.isArray(value) ? value.length === 0 : isJsonObject(value) && isEmpty(value) && alwaysWritten(type).size === 0);

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}

const free: Structure = { type: 'any' };

/** What an object holds, said or not. */
const held = (object: JsonObject, name: string, written: ReadonlyMap<string, Json>): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : written.get(name);

class Comparison {
  #added: FieldSetBuilder | undefined;
  #modified: FieldSetBuilder | undefined;
  #removed: FieldSetBuilder | undefined;
  readonly #path: string[] = [];

  result(): Differences {
    if (!this.#added && !this.#modified && !this.#removed) return noDifferences;
    return {
      added: this.#added?.build() ?? noFields,
      modified: this.#modified?.build() ?? noFields,
      removed: this.#removed?.build() ?? noFields,
    };
  }

  #noteAdded(): void {
    this.#added ??= new FieldSetBuilder();
    this.#added.insert(this.#path, this.#path.length);
  }

  #noteRemoved(): void {
    this.#removed ??= new FieldSetBuilder();
    this.#removed.insert(this.#path, this.#path.length);
  }

  #noteModified(): void {
    this.#modified ??= new FieldSetBuilder();
    this.#modified.insert(this.#path, this.#path.length);
  }

  #leaf(before: Json | undefined, after: Json | undefined): void {
    if (before === undefined) this.#noteAdded();
    else if (after === undefined) this.#noteRemoved();
    else if (!deepEqual(before, after)) this.#noteModified();
  }

  #member(
    before: Json | undefined,
    after: Json | undefined,
    element: string,
    type: Structure,
    ignored: FieldSet,
  ): void {
    const below = ignored.below.size > 0 ? (ignored.below.get(element) ?? noFields) : noFields;
    if (below.owned) return;
    this.#path.push(element);
    this.#value(before, after, type, below);
    this.#path.pop();
  }

  #value(before: Json | undefined, after: Json | undefined, type: Structure, ignored: FieldSet): void {
    if (type.type === 'any' && !type.atomic) this.#freeForm(before, after, ignored);
    else if (shapeOf(type, after) === 'leaf') {
      checkLists(before, type);
      checkLists(after, type);
      this.#leaf(before, after);
    } else if (type.type === 'list') this.#part(before, after, type, () => this.#lists(before, after, type, ignored));
    else if (!isMapOrNull(before) || !isMapOrNull(after)) throw new UntypedValue('expected a map');
    else this.#part(before, after, type, () => this.maps(before, after, type, ignored));
  }

  /** A list or map that is not owned as one: an empty one is a leaf, and one that came or went is noted itself. */
  #part(before: Json | undefined, after: Json | undefined, type: Structure, descend: () => void): void {
    const nothingBefore = before === undefined || isEmptyPart(before, type);
    const nothingAfter = after === undefined || isEmptyPart(after, type);
    if (nothingBefore && nothingAfter) {
      this.#leaf(before, after);
      return;
    }
    descend();
    if (before === undefined) this.#noteAdded();
    else if (after === undefined) this.#noteRemoved();
  }

  maps(
    before: JsonObject | null | undefined,
    after: JsonObject | null | undefined,
    type: Structure,
    ignored: FieldSet,
  ): void {
    const written = alwaysWritten(type);
    for (const name in after) {
      const then = before ? held(before, name, written) : undefined;
      const now = after[name];
      if (then !== now) this.#member(then, now, fieldElement(name), memberStructure(type, name), ignored);
    }
    for (const name in before) {
      if (after && Object.hasOwn(after, name)) continue;
      const now = after ? held(after, name, written) : undefined;
      this.#member(before[name], now, fieldElement(name), memberStructure(type, name), ignored);
    }
    if (before && after) return;
    for (const [name, zero] of written) {
      if (Object.hasOwn(before ?? after ?? {}, name)) continue;
      const [then, now] = before ? [zero, undefined] : [undefined, zero];
      this.#member(then, now, fieldElement(name), memberStructure(type, name), ignored);
    }
  }

  #lists(before: Json | undefined, after: Json | undefined, type: ListType, ignored: FieldSet): void {
    const then = indexList(type, before);
    const now = indexList(type, after);
    for (const [element, item] of now) {
      const old = then.get(element);
      if (old !== item) this.#member(old, item, element, type.items, ignored);
    }
    for (const [element, item] of then) {
      if (!now.has(element)) this.#member(item, undefined, element, type.items, ignored);
    }
  }

  /** Free-form values: maps are compared member by member, a map and something else is both. */
  #freeForm(before: Json | undefined, after: Json | undefined, ignored: FieldSet): void {
    if (isMapOrNull(before) && isMapOrNull(after)) {
      this.#part(before, after, free, () => this.maps(before, after, free, ignored));
      return;
    }
    if (isJsonObject(before)) this.maps(before, undefined, { type: 'any' }, ignored);
    if (isJsonObject(after)) this.maps(undefined, after, { type: 'any' }, ignored);
    this.#leaf(before, after);
  }
}

const isMapOrNull = (value: Json | undefined): value is JsonObject | null | undefined =>
  value === undefined || value === null || isJsonObject(value);
