import { KeyExistsError, KeyMissingError, type Store } from './store.ts';
import { StoredValue } from './stored-value.ts';

/**
 * A store on which writes come to nothing: `create` and `upsert` decide on the newest version and show what would come of it. What
 * would be written keeps the version that is there; a new object keeps what it came with.
 */
export const rehearsing = (store: Pick<Store, 'get'>): Pick<Store, 'create' | 'upsert'> => ({
  async create(key, value) {
    const current = await store.get(key);
    if (current) throw new KeyExistsError(current);
    return new StoredValue(key, 0, value);
  },
  async upsert(key, change) {
    const current = await store.get(key);
    const wanted = await change(current);
    if ('write' in wanted) {
      const { write } = wanted;
      if (current) write.metadata.resourceVersion = String(current.revision);
      const revision = current?.revision ?? 0;
      return { stored: new StoredValue(key, revision, write), outcome: current ? 'written' : 'created', revision };
    }
    if (!current) throw new KeyMissingError(`no such key: ${key}`);
    const { revision } = current;
    if ('keep' in wanted) return { stored: current, outcome: 'kept', revision };
    return { stored: current, outcome: 'removed', revision, ...(wanted.answer && { answer: wanted.answer }) };
  },
});
