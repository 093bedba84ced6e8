import { controllerOf, type KubeObject, keyOf, namespaceOf, uidOf, versionOf } from '../kube-object.ts';

/** What a change of a cache looks like to those who listen. */
export type Change<T> =
  | { readonly type: 'added'; readonly object: T; readonly previous?: undefined }
  | { readonly type: 'updated'; readonly object: T; readonly previous: T }
  | { readonly type: 'deleted'; readonly object: T; readonly previous?: undefined };

/** What controllers read: the objects of one kind as last seen, own writes included. */
export interface Lister<T> {
  /** By `namespace/name`. */
  find(key: string): T | undefined;
  all(): readonly T[];
  readonly size: number;
  in(namespace: string): readonly T[];
  /** The objects whose managing owner has this uid. */
  ownedBy(uid: string): readonly T[];
  /** The objects of a namespace that have no managing owner. */
  withoutManager(namespace: string): readonly T[];
  /** The objects for which the index of that name gave this value. */
  indexed(index: string, value: string): readonly T[];
}

export type IndexFunction<T> = (object: T) => readonly string[];

const byNamespace = 'namespace';
const byOwner = 'owner';
/** Stands in the index of owners for having none; no uid looks like it. */
const unmanagedIn = (namespace: string): string => `none in ${namespace}`;
const rememberedDeletions = 5_000;

/**
 * The objects of one kind, kept up to date from a list, the watch after it, and our own writes: the answer to a write
 * is taken over at once, so a reconciler always reads what it wrote and needs no bookkeeping of what it expects. What
 * the watch says later about those writes is recognised by uid and version, and is no change.
 */
export class Cache<T extends KubeObject> implements Lister<T> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, { readonly of: IndexFunction<T>; readonly sets: Map<string, Map<string, T>> }>();
  readonly #listeners = new Set<(change: Change<T>) => void>();
  /** Versions that we wrote and that the watch has yet to show, by uid. */
  readonly #written = new Map<string, { readonly versions: Set<string>; round: number }>();
  /** Uids that we deleted and that the watch has yet to show as deleted. */
  readonly #removed = new Map<string, number>();
  /** Uids that the watch showed as deleted of late, for answers to our creates that come in late. */
  readonly #seenDeleted = new Set<string>();
  /** Grows with every list that begins. */
  #round = 0;

  constructor() {
    this.addIndex(byNamespace, (object) => [namespaceOf(object)]);
    this.addIndex(byOwner, (object) => [controllerOf(object)?.uid ?? unmanagedIn(namespaceOf(object))]);
  }

  addIndex(name: string, of: IndexFunction<T>): void {
    if (this.#indexes.has(name)) return;
    const index = { of, sets: new Map<string, Map<string, T>>() };
    this.#indexes.set(name, index);
    for (const [key, object] of this.#objects) put(index, key, object);
  }

  listen(listener: (change: Change<T>) => void): void {
    this.#listeners.add(listener);
  }

  get size(): number {
    return this.#objects.size;
  }

  find(key: string): T | undefined {
    return this.#objects.get(key);
  }

  all(): readonly T[] {
    return [...this.#objects.values()];
  }

  in(namespace: string): readonly T[] {
    return this.indexed(byNamespace, namespace);
  }

  ownedBy(uid: string): readonly T[] {
    return this.indexed(byOwner, uid);
  }

  withoutManager(namespace: string): readonly T[] {
    return this.indexed(byOwner, unmanagedIn(namespace));
  }

  indexed(name: string, value: string): readonly T[] {
    return [...(this.#indexes.get(name)?.sets.get(value)?.values() ?? [])];
  }

  /** Says that a list begins now; give the answer to `listed`. */
  listing(): number {
    this.#round += 1;
    return this.#round;
  }

  /**
   * The server's whole list. What we wrote since it began may or may not be in it; such objects are left as we know them.
   * @returns whether nothing is in doubt; if not, list once more
   */
  listed(objects: readonly T[], round: number): boolean {
    for (const [uid, written] of this.#written) if (written.round < round) this.#written.delete(uid);
    for (const [uid, removedIn] of this.#removed) if (removedIn < round) this.#removed.delete(uid);
    const listed = new Map(objects.map((object) => [keyOf(object), object]));
    for (const [key, object] of this.#objects) {
      if (!listed.has(key) && !this.#written.has(uidOf(object))) this.#drop(key, object);
    }
    for (const object of objects) this.seen(object);
    return this.#written.size === 0;
  }

  /** The server shows an object as it is now. */
  seen(object: T): void {
    const uid = uidOf(object);
    if (this.#removed.has(uid)) return;
    const key = keyOf(object);
    const written = this.#written.get(uid);
    written?.versions.delete(versionOf(object));
    if (written?.versions.size === 0) this.#written.delete(uid);
    // While the watch has yet to show what we wrote last, all it shows of that name is older.
    const known = this.#objects.get(key);
    if (!known || !this.#written.get(uidOf(known))?.versions.has(versionOf(known))) this.#keep(key, object);
  }

  /** The watch shows that an object is gone. */
  seenDeleted(object: T): void {
    const uid = uidOf(object);
    this.#written.delete(uid);
    this.#removed.delete(uid);
    this.#seenDeleted.add(uid);
    if (this.#seenDeleted.size > rememberedDeletions) this.#seenDeleted.delete(first(this.#seenDeleted));
    const key = keyOf(object);
    const known = this.#objects.get(key);
    if (known && uidOf(known) === uid) this.#drop(key, object);
  }

  /** The answer to our create. */
  created(object: T): void {
    const known = this.#objects.get(keyOf(object));
    if (this.#seenDeleted.has(uidOf(object)) || (known && uidOf(known) === uidOf(object))) return;
    this.#expect(object);
    // The server took the name again, so what had it is gone; the watch may still tell of it, and late.
    if (known) {
      this.#removed.set(uidOf(known), this.#round);
      this.#written.delete(uidOf(known));
    }
    this.#keep(keyOf(object), object);
  }

  /** The answer to our update of `base`. It counts only while the cache holds `base`: otherwise the watch was faster. */
  updated(base: T, object: T): void {
    const known = this.#objects.get(keyOf(object));
    if (!known || versionOf(known) !== versionOf(base) || uidOf(known) !== uidOf(object)) return;
    if (versionOf(known) === versionOf(object)) return;
    if (isGone(base, object)) {
      this.deleted(object);
    } else {
      this.#expect(object);
      this.#keep(keyOf(object), object);
    }
  }

  /** Our delete removed the object at once. */
  deleted(object: T): void {
    const known = this.#objects.get(keyOf(object));
    if (!known || uidOf(known) !== uidOf(object)) return;
    this.#removed.set(uidOf(object), this.#round);
    this.#drop(keyOf(object), known);
  }

  #expect(object: T): void {
    const written = this.#written.get(uidOf(object)) ?? { versions: new Set<string>(), round: this.#round };
    written.versions.add(versionOf(object));
    written.round = this.#round;
    this.#written.set(uidOf(object), written);
  }

  #keep(key: string, object: T): void {
    const known = this.#objects.get(key);
    const replaced = known && uidOf(known) !== uidOf(object);
    if (replaced) this.#drop(key, known);
    const previous = replaced ? undefined : known;
    if (previous && versionOf(previous) === versionOf(object)) return;
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) {
      if (previous) take(index, key, previous);
      put(index, key, object);
    }
    this.#tell(previous ? { type: 'updated', object, previous } : { type: 'added', object });
  }

  #drop(key: string, object: T): void {
    const known = this.#objects.get(key);
    if (!known) return;
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) take(index, key, known);
    this.#tell({ type: 'deleted', object });
  }

  #tell(change: Change<T>): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** Whether a write, by deleting or by removing the last finalizer, was the end of the object. Its answer shows the last state. */
function isGone(base: KubeObject, { metadata, ...rest }: KubeObject & { readonly spec?: unknown }): boolean {
  if (!metadata?.deletionTimestamp || metadata.finalizers?.length || metadata.deletionGracePeriodSeconds) return false;
  // Namespaces are held by finalizers of their own.
  const { finalizers = [] } = (rest.spec ?? {}) as { readonly finalizers?: readonly string[] };
  const wasHeld = !base.metadata?.deletionTimestamp || Boolean(base.metadata.finalizers?.length);
  return finalizers.length === 0 && wasHeld;
}

interface Index<T> {
  readonly of: IndexFunction<T>;
  readonly sets: Map<string, Map<string, T>>;
}

function put<T>({ of, sets }: Index<T>, key: string, object: T): void {
  for (const value of of(object)) {
    const set = sets.get(value) ?? new Map<string, T>();
    sets.set(value, set);
    set.set(key, object);
  }
}

function take<T>({ of, sets }: Index<T>, key: string, object: T): void {
  for (const value of of(object)) {
    const set = sets.get(value);
    set?.delete(key);
    if (set?.size === 0) sets.delete(value);
  }
}

const first = (set: ReadonlySet<string>): string => set.values().next().value ?? '';
