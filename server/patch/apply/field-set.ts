import { isJsonObject } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import { elementOf, ordered } from './path-element.ts';

/**
 * A set of field paths as a trie, immutable. A path is a list of elements in the form of `FieldsV1`: `f:name` for a
 * field or map key, `k:{"name":"c"}` for a list element by its keys, `v:"x"` for an element of a set, `i:0` by index.
 * No node below the root is without fields.
 */
export interface FieldSet {
  /** The field at this node is in the set itself, not only fields below it. */
  readonly owned: boolean;
  readonly below: ReadonlyMap<string, FieldSet>;
}

export type FieldPathElements = readonly string[];

const nothingBelow: ReadonlyMap<string, FieldSet> = new Map();
export const noFields: FieldSet = { owned: false, below: nothingBelow };
export const ownedField: FieldSet = { owned: true, below: nothingBelow };

export const isEmptySet = (set: FieldSet) => !set.owned && set.below.size === 0;

const node = (owned: boolean, below: ReadonlyMap<string, FieldSet>): FieldSet => {
  if (below.size > 0) return { owned, below };
  return owned ? ownedField : noFields;
};

/** The fields of either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  const below = new Map(a.below);
  for (const [element, theirs] of b.below) {
    const ours = below.get(element);
    below.set(element, ours ? union(ours, theirs) : theirs);
  }
  return node(a.owned || b.owned, below);
}

/** All of them together: in halves, since each union copies what it joins. */
export function unionOfAll(sets: readonly FieldSet[]): FieldSet {
  if (sets.length < 2) return sets[0] ?? noFields;
  const half = sets.length >> 1;
  return union(unionOfAll(sets.slice(0, half)), unionOfAll(sets.slice(half)));
}

/** The fields of both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const below = new Map<string, FieldSet>();
  const [fewer, more] = a.below.size < b.below.size ? [a, b] : [b, a];
  for (const [element, ours] of fewer.below) {
    const theirs = more.below.get(element);
    const shared = theirs && intersection(ours, theirs);
    if (shared && (shared.owned || shared.below.size > 0)) below.set(element, shared);
  }
  if (below.size > 0) return { owned: a.owned && b.owned, below };
  return a.owned && b.owned ? ownedField : noFields;
}

/** The fields of `a` that are not in `b`; those below a field of `b` stay. The same object when nothing goes. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  const below = differenceBelow(a.below, b.below);
  const owned = a.owned && !b.owned;
  return below === a.below && owned === a.owned ? a : node(owned, below);
}

function differenceBelow(
  a: ReadonlyMap<string, FieldSet>,
  b: ReadonlyMap<string, FieldSet>,
): ReadonlyMap<string, FieldSet> {
  let below: Map<string, FieldSet> | undefined;
  const [fewer, hit] = a.size < b.size ? [a, b] : [b, a];
  for (const element of fewer.keys()) {
    if (!hit.has(element)) continue;
    const ours = a.get(element) as FieldSet;
    const left = difference(ours, b.get(element) as FieldSet);
    if (left === ours) continue;
    below ??= new Map(a);
    if (isEmptySet(left)) below.delete(element);
    else below.set(element, left);
  }
  return below ?? a;
}

/** Whether all fields of `b` are in `a`. */
export function includes(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (b.owned && !a.owned) return false;
  for (const [element, theirs] of b.below) {
    const ours = a.below.get(element);
    if (!ours || !includes(ours, theirs)) return false;
  }
  return true;
}

export function hasPath(set: FieldSet, path: FieldPathElements): boolean {
  let at: FieldSet | undefined = set;
  for (const element of path) at = at?.below.get(element);
  return at?.owned ?? false;
}

/** A set of the given paths. */
export function fieldSetOfPaths(paths: Iterable<FieldPathElements>): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) builder.insert(path, path.length);
  return builder.set;
}

/** All paths in the order of a printed set: the fields of one level, then those of the levels below. */
export function pathsOf(set: FieldSet): FieldPathElements[] {
  const paths: FieldPathElements[] = [];
  collect(set, [], paths);
  return paths;
}

function collect(set: FieldSet, at: FieldPathElements, paths: FieldPathElements[]): void {
  const elements = ordered(set.below.keys());
  for (const element of elements) if (set.below.get(element)?.owned) paths.push([...at, element]);
  for (const element of elements) {
    const below = set.below.get(element);
    if (below && below.below.size > 0) collect(below, [...at, element], paths);
  }
}

interface GrowingSet {
  owned: boolean;
  readonly below: Map<string, GrowingSet>;
}

/** Collects paths into a set. */
export class FieldSetBuilder {
  readonly #root: GrowingSet = { owned: false, below: new Map() };

  /** What was collected. It grows as long as something is inserted. */
  readonly set: FieldSet = this.#root;

  /** Adds the first `depth` elements of `path` as one field. */
  insert(path: FieldPathElements, depth: number): void {
    let at = this.#root;
    for (let i = 0; i < depth; i++) {
      const element = path[i] as string;
      let next = at.below.get(element);
      if (!next) {
        next = { owned: false, below: new Map() };
        at.below.set(element, next);
      }
      at = next;
    }
    at.owned = true;
  }
}

type FieldsV1 = { [key: string]: Json };

function write(set: FieldSet): FieldsV1 {
  const fields: FieldsV1 = {};
  if (set.owned && set.below.size > 0) fields['.'] = {};
  for (const element of ordered(set.below.keys())) fields[element] = write(set.below.get(element) as FieldSet);
  return fields;
}

/** A set in the JSON form of `fieldsV1`, in the order in which a server prints it; not to be changed. */
export function toFieldsV1(set: FieldSet): FieldsV1 {
  const known = written.get(set);
  if (known) return known;
  const fields = write(set);
  written.set(set, fields);
  return fields;
}

const written = new WeakMap<FieldSet, FieldsV1>();

/**
 * Reads the JSON form. Elements of a sort that is not known are skipped.
 * @returns undefined when it cannot be read
 */
export function fromFieldsV1(fields: Json): FieldSet | undefined {
  if (!isJsonObject(fields)) return undefined;
  const root = readNode(fields);
  return root && (root.owned ? node(false, root.below) : root);
}

function readNode(fields: { [key: string]: Json }): FieldSet | undefined {
  const keys = Object.keys(fields);
  if (keys.length === 0) return ownedField;
  const below = new Map<string, FieldSet>();
  let owned = false;
  for (const key of keys) {
    const value = fields[key];
    if (!isJsonObject(value)) return undefined;
    if (key === '.') {
      owned = true;
      continue;
    }
    const element = elementOf(key);
    if (element === 'unreadable') return undefined;
    if (element === 'unknown') continue;
    const child = readNode(value);
    if (!child) return undefined;
    if (isEmptySet(child)) continue;
    const twin = below.get(element);
    below.set(element, twin ? union(twin, child) : child);
  }
  return node(owned, below);
}
