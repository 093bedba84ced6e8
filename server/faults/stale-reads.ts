import { AsyncLocalStorage } from 'node:async_hooks';
import type { Store } from '../store/store.ts';

/** A store of which some requests see an older state. */
export interface StaleReads {
  readonly store: Store;
  /** Whatever is read in `act`, and in all that it begins, is as it was at that revision. Writes go by what is newest. */
  readAsOf(revision: number, act: () => void): void;
}

export function staleReads(store: Store): StaleReads {
  const revisions = new AsyncLocalStorage<number>();
  const stale: Pick<Store, 'get' | 'list'> = {
    async get(key) {
      const revision = revisions.getStore();
      if (revision === undefined) return store.get(key);
      const { items } = await store.list(key, { revision, limit: 1 });
      return items.find((item) => item.key === key);
    },
    list(prefix, options = {}) {
      const revision = revisions.getStore();
      return store.list(prefix, revision === undefined ? options : { revision, ...options });
    },
  };
  const bound = (name: string | symbol) => {
    const value = Reflect.get(store, name);
    return typeof value === 'function' ? value.bind(store) : value;
  };
  return {
    store: new Proxy(store, { get: (_, name) => Reflect.get(stale, name) ?? bound(name) }),
    readAsOf: (revision, act) => revisions.run(revision, act),
  };
}
