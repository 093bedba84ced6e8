import type { KubeObject } from '../base/kube-object.ts';
import { type Followed, follow } from '../store/follow.ts';
import type { StoredKind } from '../store/object-keys.ts';
import type { Store, Subscription } from '../store/store.ts';

const nothing: readonly never[] = [];

/**
 * All objects of one resource, kept up with the store, so that admission need not read them for each request: a change
 * is seen when the write that made it returns (with a store of this process). Objects are shared and have the storage
 * version.
 */
export class FollowedObjects<T extends KubeObject = KubeObject> {
  readonly #byNamespace = new Map<string, Map<string, T>>();
  /** The same in order of names; made when asked for. */
  readonly #sorted = new Map<string, readonly T[]>();
  readonly #kind: StoredKind;
  #listener: () => void = () => {};
  #subscription: Subscription | undefined;

  constructor(group: string, resource: string) {
    this.#kind = { group, resource };
  }

  /** Reads what is there and follows it until `stop`. */
  async follow(store: Store): Promise<void> {
    this.#subscription = await follow(store, this.#kind, { each: (change) => this.#take(change) });
  }

  stop(): void {
    this.#subscription?.stop();
  }

  get isEmpty(): boolean {
    return this.#byNamespace.size === 0;
  }

  /** Calls back when the first comes and when the last goes. */
  onFirstAndLast(listener: () => void): void {
    this.#listener = listener;
  }

  /** `namespace` is empty for cluster-scoped objects. */
  get(namespace: string, name: string): T | undefined {
    return this.#byNamespace.get(namespace)?.get(name);
  }

  /** Those of one namespace (empty: the cluster-scoped ones) in order of names. */
  in(namespace: string): readonly T[] {
    const objects = this.#byNamespace.get(namespace);
    if (!objects) return nothing;
    let sorted = this.#sorted.get(namespace);
    if (!sorted) {
      sorted = [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
      this.#sorted.set(namespace, sorted);
    }
    return sorted;
  }

  #take({ previous, current }: Followed): void {
    const { isEmpty } = this;
    if (current) this.#put(current.value);
    else if (previous) this.#drop(previous.value);
    if (this.isEmpty !== isEmpty) this.#listener();
  }

  #put(value: KubeObject): void {
    const { namespace = '', name = '' } = value.metadata;
    let objects = this.#byNamespace.get(namespace);
    if (!objects) {
      objects = new Map();
      this.#byNamespace.set(namespace, objects);
    }
    objects.set(name, value as T);
    this.#sorted.delete(namespace);
  }

  #drop({ metadata: { namespace = '', name = '' } }: KubeObject): void {
    const objects = this.#byNamespace.get(namespace);
    objects?.delete(name);
    if (objects?.size === 0) this.#byNamespace.delete(namespace);
    this.#sorted.delete(namespace);
  }
}
