import { expect, it } from 'vitest';
import { dataOf, keysOf, type MakeStore, object, removing, writing } from '../store.fixture.ts';
import { FutureRevisionError } from '../store.ts';

/** Lists at old revisions are exact. */
export function historyContract(makeStore: MakeStore): void {
  it('shows each key as it was, created, changed and removed ones alike', async () => {
    const store = await makeStore();
    const a1 = await store.create('a', object('a', 1));
    const b1 = await store.create('b', object('b', 1));
    const a2 = await store.update('a', writing(2));
    const gone = await store.update('b', removing);
    await store.create('c', object('c', 1));
    await store.create('b', object('b', 2));
    const at = async (revision: number) => {
      const list = await store.list('', { revision });
      expect(list.revision).toBe(revision);
      return list.items.map((stored) => `${stored.key}${dataOf(stored)}`).join(' ');
    };
    expect(await at(a1.revision - 1)).toBe('');
    expect(await at(a1.revision)).toBe('a1');
    expect(await at(b1.revision)).toBe('a1 b1');
    expect(await at(a2.revision)).toBe('a2 b1');
    expect(await at(gone.revision)).toBe('a2');
    expect(await at(gone.revision + 1)).toBe('a2 c1');
    expect(await at(gone.revision + 2)).toBe('a2 b2 c1');
  });

  it('pages through an old state while others write', async () => {
    const store = await makeStore();
    const keys = Array.from({ length: 25 }, (_, n) => `k/${String(n).padStart(2, '0')}`);
    for (const key of keys) await store.create(key, object('x', 'old'));
    const first = await store.list('k/', { limit: 10 });
    expect(first.remaining).toBe(15);
    await store.update('k/12', removing);
    await store.update('k/13', writing('new'));
    await store.create('k/12a', object('x', 'new'));
    const second = await store.list('k/', { limit: 10, revision: first.revision, after: 'k/09' });
    expect(keysOf(second.items)).toEqual(keys.slice(10, 20));
    expect(second.items.map(dataOf)).toEqual(Array(10).fill('old'));
    expect(second.remaining).toBe(5);
    const newest = await store.list('k/', { limit: 10, after: 'k/09' });
    expect(newest.remaining).toBe(5);
    expect(keysOf(newest.items)).toContain('k/12a');
  });

  it('does not show a revision before it is reached', async () => {
    const store = await makeStore();
    const { revision } = await store.create('a', object('a'));
    const error = await store.list('', { revision: revision + 1 }).catch((caught) => caught);
    expect(error).toBeInstanceOf(FutureRevisionError);
    expect(error.current).toBe(revision);
  });
}
