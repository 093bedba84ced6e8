import { describe, expect, it } from 'vitest';
import { InvariantError, withInvariants } from './invariants.fixture.ts';
import { MemoryStore } from './memory-store.ts';
import { dataOf, object, writing } from './store.fixture.ts';
import type { Store, StoreEvent } from './store.ts';
import { StoredValue } from './stored-value.ts';

/** A memory store of which one method lies. */
function lying(change: (honest: MemoryStore) => Partial<Store>): Store {
  const honest = new MemoryStore();
  const methods = ['currentRevision', 'get', 'list', 'count', 'create', 'update', 'watch', 'compact', 'close'] as const;
  const store = Object.fromEntries(methods.map((name) => [name, honest[name].bind(honest)])) as unknown as Store;
  return withInvariants({ ...store, ...change(honest) });
}

const eventsThrough = (change: (event: StoreEvent) => StoreEvent) =>
  lying((honest) => ({
    watch: (prefix, revision, sink) => honest.watch(prefix, revision, (event) => sink(change(event))),
  }));

async function someWork(store: Store): Promise<void> {
  await store.create('a', object('a', 1));
  await store.create('b', object('b', 1));
  await store.update('a', writing(2));
  await store.update('b', () => ({ remove: true }));
  const { revision } = await store.list('');
  await store.get('a');
  await store.list('', { revision: revision - 1, limit: 1 });
  await store.currentRevision();
  await store.close();
}

describe('invariants of a store', () => {
  it('hold for an honest one', async () => {
    await someWork(withInvariants(new MemoryStore()));
  });

  const copy = ({ key, revision, previous, current, removed }: StoreEvent) => ({
    key,
    revision,
    previous,
    current,
    removed,
  });
  const old = new StoredValue('a', 1, { ...object('a'), metadata: { name: 'a', resourceVersion: '1' } });
  const other = new StoredValue('b', 9, { ...object('b'), metadata: { name: 'b', resourceVersion: '9' } });

  it.each<[string, Store]>([
    ['revisions that stand still', eventsThrough((event) => ({ ...copy(event), revision: 2 }))],
    ['an event about nothing', eventsThrough((event) => ({ ...copy(event), previous: undefined, current: undefined }))],
    ['an event that skips a version', eventsThrough((event) => ({ ...copy(event), previous: undefined }))],
    ['a removal without the last state', eventsThrough((event) => ({ ...copy(event), removed: undefined }))],
    ['an old answer', lying(() => ({ get: async () => old }))],
    ['an answer about another key', lying(() => ({ get: async () => other }))],
    [
      'a list out of order',
      lying((honest) => ({
        list: async (prefix, options) => {
          const list = await honest.list(prefix, options);
          return { ...list, items: [...list.items, ...list.items] };
        },
      })),
    ],
    [
      'a list of the wrong state',
      lying((honest) => ({
        list: async (prefix, options) => ({ ...(await honest.list(prefix, options)), revision: 3 }),
      })),
    ],
    [
      'a list beyond its limit',
      lying((honest) => ({
        list: async (prefix) => {
          await honest.create('c', object('c')).catch(() => {});
          return honest.list(prefix);
        },
      })),
    ],
    ['a revision that goes back', lying(() => ({ currentRevision: async () => 1 }))],
  ])('notice %s', async (_, store) => {
    await expect(someWork(store)).rejects.toBeInstanceOf(InvariantError);
  });

  it('notice that somebody changed a shared value', async () => {
    const store = withInvariants(new MemoryStore());
    const stored = await store.create('a', object('a', { n: 1 }));
    (dataOf(stored) as { n: number }).n = 2;
    await store.get('a');
    await expect(store.get('a')).rejects.toBeInstanceOf(InvariantError);
  });
});
