import { expect, it } from 'vitest';
import { dataOf, keysOf, type MakeStore, object, removing, writing } from '../store.fixture.ts';
import { CompactedError, FutureRevisionError } from '../store.ts';

/** Forgetting takes exactly what it says. */
export function compactionContract(makeStore: MakeStore): void {
  const filled = async () => {
    const store = await makeStore();
    await store.create('a', object('a', 1));
    await store.create('b', object('b', 1));
    await store.update('a', writing(2));
    const { revision } = await store.update('b', removing);
    await store.update('a', writing(3));
    return { store, revision };
  };

  it('refuses what only older revisions show, and says how far it forgot', async () => {
    const { store, revision } = await filled();
    await store.compact(revision);
    for (const old of [revision - 1, 1, 0]) {
      const error = await store.list('', { revision: old }).catch((caught) => caught);
      expect(error).toBeInstanceOf(CompactedError);
      expect(error.compacted).toBe(revision - 1);
      await expect(store.watch('', old, () => {})).rejects.toBeInstanceOf(CompactedError);
    }
  });

  it('holds no state of before the first revision, though nothing was forgotten', async () => {
    const { store } = await filled();
    await expect(store.list('', { revision: 0 })).rejects.toBeInstanceOf(CompactedError);
  });

  it('keeps the revision itself, and all that came after', async () => {
    const { store, revision } = await filled();
    await store.compact(revision);
    expect((await store.list('', { revision })).items.map(dataOf)).toEqual([2]);
    expect((await store.list('')).items.map(dataOf)).toEqual([3]);
    const seen: number[] = [];
    await store.watch('', revision, (event) => seen.push(event.revision));
    expect(seen).toEqual([revision + 1]);
  });

  it('keeps current versions however old they are', async () => {
    const store = await makeStore();
    await store.create('old', object('old', 1));
    for (let n = 0; n < 10; n++) await store.create(`k${n}`, object('x'));
    await store.compact(await store.currentRevision());
    expect(dataOf(await store.get('old'))).toBe(1);
    expect(await store.count('')).toBe(11);
    expect(dataOf((await store.update('old', writing(2))).stored)).toBe(2);
  });

  it('does nothing when that much is forgotten already', async () => {
    const { store, revision } = await filled();
    await store.compact(revision);
    await store.compact(revision);
    await store.compact(revision - 2);
    expect(keysOf((await store.list('', { revision })).items)).toEqual(['a']);
  });

  it('does not forget what is yet to come', async () => {
    const { store } = await filled();
    const current = await store.currentRevision();
    await expect(store.compact(current + 1)).rejects.toBeInstanceOf(FutureRevisionError);
    expect(await store.currentRevision()).toBe(current);
  });

  it('leaves running watches alone', async () => {
    const { store } = await filled();
    const seen: number[] = [];
    const start = await store.currentRevision();
    await store.watch('', start, (event) => seen.push(event.revision));
    await store.create('c', object('c'));
    await store.compact(start + 1);
    await store.create('d', object('d'));
    expect(seen).toEqual([start + 1, start + 2]);
  });

  it('lets a removed and forgotten key begin anew', async () => {
    const { store, revision } = await filled();
    await store.compact(revision);
    const again = await store.create('b', object('b', 'new'));
    expect(again.revision).toBe(revision + 2);
    expect(keysOf((await store.list('', { revision: revision + 1 })).items)).toEqual(['a']);
    expect(keysOf((await store.list('')).items)).toEqual(['a', 'b']);
  });
}
