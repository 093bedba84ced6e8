import { deepEqual } from '../../base/deep-equal.ts';
import { isJsonObject, type JsonObject } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import type { ListType, Structure } from '../../schema/structure.ts';
import { type FieldSet, FieldSetBuilder, noFields } from './field-set.ts';
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
  const { added, modified, removed } = comparison.found;
  if (!added && !modified && !removed) return noDifferences;
  return {
    added: added?.set ?? noFields,
    modified: modified?.set ?? noFields,
    removed: removed?.set ?? noFields,
  };
}

/** A map whose structure always writes fields is never empty. @throws UntypedValue neither a map nor nothing */
function isNothing(value: Json | undefined, type: Structure): boolean {
  if (value === undefined || value === null) return true;
  if (type.type !== 'list' && !isJsonObject(value)) throw new UntypedValue('expected a map');
  for (const _ in value as object) return false;
  return Array.isArray(value) || alwaysWritten(type).size === 0;
}

const free: Structure = { type: 'any' };

type Sort = keyof Differences;

class Comparison {
  readonly found: Partial<Record<Sort, FieldSetBuilder>> = {};
  readonly #path: string[] = [];

  #note(sort: Sort): void {
    const set = this.found[sort] ?? new FieldSetBuilder();
    this.found[sort] = set;
    set.insert(this.#path, this.#path.length);
  }

  #leaf(before: Json | undefined, after: Json | undefined): void {
    if (before === undefined) this.#note('added');
    else if (after === undefined) this.#note('removed');
    else if (typeof before !== 'object' || !deepEqual(before, after)) this.#note('modified');
  }

  #member(
    before: Json | undefined,
    after: Json | undefined,
    element: string,
    type: Structure,
    ignored: FieldSet,
  ): void {
    const below = ignored.below.size > 0 ? (ignored.below.get(element) ?? noFields) : noFields;
    if (below.owned || before === after) return;
    this.#path.push(element);
    if (type.type === 'scalar') this.#leaf(before, after);
    else if (type.type === 'any' && !type.atomic) this.#freeForm(before, after, below);
    else if (shapeOf(type, after) === 'leaf') {
      checkLists(before, type);
      checkLists(after, type);
      this.#leaf(before, after);
    } else this.#part(before, after, type, below);
    this.#path.pop();
  }

  /** A list or map that is not owned as one: an empty one is a leaf, and one that came or went is noted itself. */
  #part(before: Json | undefined, after: Json | undefined, type: Structure, ignored: FieldSet): void {
    const nothingBefore = isNothing(before, type);
    if (isNothing(after, type) && nothingBefore) {
      this.#leaf(before, after);
      return;
    }
    if (type.type === 'list') this.#lists(before, after, type, ignored);
    else this.maps(before as JsonObject, after as JsonObject, type, ignored);
    if (before === undefined) this.#note('added');
    else if (after === undefined) this.#note('removed');
  }

  maps(
    before: JsonObject | null | undefined,
    after: JsonObject | null | undefined,
    type: Structure,
    ignored: FieldSet,
  ): void {
    const written = alwaysWritten(type);
    for (const name in after) {
      // What an object holds, said or not.
      const then = before ? (Object.hasOwn(before, name) ? before[name] : written.get(name)) : undefined;
      const now = after[name];
      if (then !== now) this.#member(then, now, `f:${name}`, memberStructure(type, name), ignored);
    }
    for (const name in before) {
      if (after && Object.hasOwn(after, name)) continue;
      const now = after ? written.get(name) : undefined;
      this.#member(before[name], now, `f:${name}`, memberStructure(type, name), ignored);
    }
    if (before && after) return;
    for (const [name, zero] of written) {
      if (Object.hasOwn(before ?? after ?? {}, name)) continue;
      const [then, now] = before ? [zero, undefined] : [undefined, zero];
      this.#member(then, now, `f:${name}`, memberStructure(type, name), ignored);
    }
  }

  #lists(before: Json | undefined, after: Json | undefined, type: ListType, ignored: FieldSet): void {
    const then = indexList(type, before);
    const now = indexList(type, after);
    for (const [element, item] of now) this.#member(then.get(element), item, element, type.items, ignored);
    for (const [element, item] of then) {
      if (!now.has(element)) this.#member(item, undefined, element, type.items, ignored);
    }
  }

  /** Free-form values: maps are compared member by member, a map and something else is both. */
  #freeForm(before: Json | undefined, after: Json | undefined, ignored: FieldSet): void {
    if (isMapOrNull(before) && isMapOrNull(after)) {
      this.#part(before, after, free, ignored);
      return;
    }
    if (isJsonObject(before)) this.maps(before, undefined, { type: 'any' }, ignored);
    if (isJsonObject(after)) this.maps(undefined, after, { type: 'any' }, ignored);
    this.#leaf(before, after);
  }
}

const isMapOrNull = (value: Json | undefined): value is JsonObject | null | undefined =>
  value === undefined || value === null || isJsonObject(value);
