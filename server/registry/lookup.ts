import type { Lookup } from '../kinds/strategy.ts';
import { kindPrefix, namespacePrefix, objectKey } from '../store/object-keys.ts';
import type { Store } from '../store/store.ts';

/**
 * Reads other objects straight from the store, in their storage version. A state of a moment ago will do; but what is
 * not there is asked for again, as it may have been made at another server just now.
 */
export function storeLookup(store: Store): Lookup {
  return {
    async get(group, resource, namespace, name) {
      const key = objectKey({ group, resource }, namespace, name);
      return ((await store.get(key, { any: true })) ?? (await store.get(key)))?.value;
    },
    async list(group, resource, namespace) {
      const { items } = await store.list(namespacePrefix(kindPrefix({ group, resource }), namespace ?? ''), {
        any: true,
      });
      return items.map(({ value }) => value);
    },
  };
}
