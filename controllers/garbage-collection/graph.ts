import type { ServedResource } from '../runtime/discovery.ts';
import type { Cache, Change } from '../runtime/informer/cache.ts';
import { type KubeObject, namespaceOf, type OwnerReference, uidOf } from '../runtime/kube-object.ts';

/** An object as garbage collection sees it: its metadata and its kind. */
export interface GraphNode {
  readonly resource: ServedResource;
  readonly object: KubeObject;
}

/**
 * Who owns whom, over all kinds: nodes by uid, and dependents by the uid of each owner. Owners that are not there have
 * dependents all the same; those are what is to be collected.
 */
export class Graph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #dependents = new Map<string, Set<string>>();
  /** Owners that were seen to go while they had dependents, and the namespaces they were in. */
  readonly #gone = new Map<string, string>();
  readonly #changed: (uid: string) => void;

  /** @param changed called with each uid that needs a look */
  constructor(changed: (uid: string) => void) {
    this.#changed = changed;
  }

  find(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  dependentsOf(uid: string): readonly GraphNode[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((each) => this.#nodes.get(each) ?? []);
  }

  /** Whether an owner that this object could have was seen to go: that holds even when its kind is served no more. */
  sawGo(uid: string, dependent: KubeObject): boolean {
    const scope = this.#gone.get(uid);
    return scope !== undefined && (scope === '' || scope === namespaceOf(dependent));
  }

  /** Follows a kind from now on. */
  follow(resource: ServedResource, cache: Cache<KubeObject>): void {
    cache.listen((change) => {
      const { type, object } = change;
      if (type === 'deleted' && this.#dependents.has(uidOf(object))) this.#gone.set(uidOf(object), namespaceOf(object));
      this.#take(resource, change);
    });
    for (const object of cache.all()) this.#take(resource, { type: 'added', object });
  }

  /** Forgets a kind that is served no more. */
  forget(resource: ServedResource, cache: Cache<KubeObject>): void {
    for (const object of cache.all()) this.#take(resource, { type: 'deleted', object });
  }

  #take(resource: ServedResource, { type, object, previous }: Change<KubeObject>): void {
    const uid = uidOf(object);
    const ownersBefore = ownersOf(previous ?? this.#nodes.get(uid)?.object);
    const owners = type === 'deleted' ? [] : ownersOf(object);
    for (const owner of owners) this.#link(owner.uid, uid);
    for (const { uid: owner } of ownersBefore) if (!owners.some((each) => each.uid === owner)) this.#unlink(owner, uid);
    if (type === 'deleted') this.#nodes.delete(uid);
    else this.#nodes.set(uid, { resource, object });
    this.#changed(uid);
    // An owner that waits for its dependents wants to know that one of them has let go of it or has gone; the others,
    // who may have thousands, do not.
    for (const owner of ownersBefore) if (this.#isLeaving(owner.uid)) this.#changed(owner.uid);
    if (type === 'deleted') for (const dependent of this.#dependents.get(uid) ?? []) this.#changed(dependent);
    else if (isLeaving(object)) for (const dependent of this.#dependents.get(uid) ?? []) this.#changed(dependent);
  }

  #isLeaving(uid: string): boolean {
    const node = this.#nodes.get(uid);
    return node !== undefined && isLeaving(node.object);
  }

  #link(owner: string, dependent: string): void {
    const set = this.#dependents.get(owner) ?? new Set<string>();
    this.#dependents.set(owner, set);
    set.add(dependent);
  }

  #unlink(owner: string, dependent: string): void {
    const set = this.#dependents.get(owner);
    set?.delete(dependent);
    if (set?.size !== 0) return;
    this.#dependents.delete(owner);
    this.#gone.delete(owner);
  }
}

export const ownersOf = (object: KubeObject | undefined): readonly OwnerReference[] =>
  object?.metadata?.ownerReferences ?? [];

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

const isLeaving = ({ metadata }: KubeObject): boolean => Boolean(metadata?.deletionTimestamp);

/** Whether an object is deleted only after those it owns. */
export const waitsForDependents = ({ metadata }: KubeObject): boolean =>
  Boolean(metadata?.deletionTimestamp) && (metadata?.finalizers?.includes(foregroundFinalizer) ?? false);

/** Whether an object is deleted and leaves those it owns behind. */
export const leavesOrphans = ({ metadata }: KubeObject): boolean =>
  Boolean(metadata?.deletionTimestamp) && (metadata?.finalizers?.includes(orphanFinalizer) ?? false);
