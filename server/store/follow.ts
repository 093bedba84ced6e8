import { kindPrefix, type StoredKind } from './object-keys.ts';
import type { Store, StoreEvent, Subscription } from './store.ts';

/** An object that exists or changed. Without `current` it is gone; without `previous` it is new, or was there before. */
export type Followed = Pick<StoreEvent, 'key' | 'revision' | 'previous' | 'current'>;

export interface Follower {
  /** Called for each object that exists, in the order of keys, and then for each change. Must not throw. */
  each(change: Followed): void;
  /** Called once, between what exists and the first change. */
  listed?(): void;
  /** Called for changes instead of `each`. */
  changed?(change: Followed): void;
}

/**
 * Hands over all that is stored of a kind (or below a prefix), and from then on each change, none twice and none
 * missed. Resolves when all that existed was handed over.
 */
export async function follow(store: Store, of: StoredKind | string, follower: Follower): Promise<Subscription> {
  const prefix = typeof of === 'string' ? of : kindPrefix(of);
  // Whatever is old about it comes as changes.
  const { items, revision } = await store.list(prefix, { any: true });
  for (const current of items)
    follower.each({ key: current.key, revision: current.revision, previous: undefined, current });
  follower.listed?.();
  return store.watch(prefix, revision, (event) => (follower.changed ? follower.changed(event) : follower.each(event)));
}
