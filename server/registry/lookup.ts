import type { Lookup } from '../kinds/strategy.ts';
import { kindPrefix, namespacePrefix, objectKey } from '../store/object-keys.ts';
import type { Store } from '../store/store.ts';

/** Reads other objects straight from the store, in their storage version. */
export function storeLookup(store: Store): Lookup {
  return {
    async get(group, resource, namespace, name) {
      return (await store.get(objectKey({ group, resource }, namespace, name)))?.value;
    },
    async list(group, resource, namespace) {
      const { items } = await store.list(namespacePrefix(kindPrefix({ group, resource }), namespace ?? ''));
      return items.map(({ value }) => value);
    },
  };
}
