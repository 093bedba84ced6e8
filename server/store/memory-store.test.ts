import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { storeContract } from './contract/store.contract.ts';
import { withInvariants } from './invariants.fixture.ts';
import { MemoryStore } from './memory-store.ts';
import { dataOf, object, removing, soon, writing } from './store.fixture.ts';
import { CompactedError, ContendedError } from './store.ts';

/** A full garbage collection, which Node offers behind a flag only. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

storeContract('memory store', () => withInvariants(new MemoryStore({ freeze: true })));

describe('memory store, by itself', () => {
  it('starts as an empty etcd does: at revision 1', async () => {
    const store = new MemoryStore();
    expect(await store.currentRevision()).toBe(1);
    expect((await store.create('a', object('a'))).revision).toBe(2);
  });

  it('freezes what it stores when asked, so that nobody can change what is shared', async () => {
    const store = new MemoryStore({ freeze: true });
    const stored = await store.create('a', object('a', { deep: [1] }));
    expect(() => ((dataOf(stored) as { deep: number[] }).deep[0] = 2)).toThrow(TypeError);
    await expect(store.update('a', ({ value }) => ({ write: value }))).rejects.toBeInstanceOf(TypeError);
  });

  it('forgets the oldest quarter of a past that grows beyond its bounds', async () => {
    const store = new MemoryStore({ historyBytes: 100_000 });
    const text = 'x'.repeat(1000);
    await store.create('a', object('a', text));
    for (let n = 0; n < 500; n++) await store.update('a', writing(text + n));
    await soon();
    const revision = await store.currentRevision();
    await expect(store.list('', { revision: revision - 120 })).rejects.toBeInstanceOf(CompactedError);
    expect((await store.list('', { revision: revision - 60 })).items).toHaveLength(1);
    expect((await store.list('')).items).toHaveLength(1);
  });

  it('holds what is there now as it was written, however often another key changes', async () => {
    const store = new MemoryStore({ historyBytes: 1_000_000 });
    const { value } = await store.create('a', object('a'));
    await store.create('b', object('b'));
    const text = 'x'.repeat(1000);
    for (let n = 0; n < 20_000; n++) await store.update('b', writing(text + n));
    expect((await store.get('a'))?.value).toBe(value);
  });

  it('reads the value of a version that was replaced anew, and it is the same', async () => {
    const store = new MemoryStore();
    const before = await store.create('a', object('a', { deep: [1] }));
    const { value } = before;
    await store.update('a', writing('next'));
    expect(before.value).toEqual(value);
    expect(before.value).not.toBe(value);
  });

  it('lets go of versions that were replaced and are forgotten, however few there are at a time', async () => {
    const store = new MemoryStore();
    const held: WeakRef<object>[] = [];
    await store.create('a', object('a'));
    for (let n = 0; n < 20_000; n++) held.push(new WeakRef((await store.update('a', writing(n))).stored));
    await store.compact(await store.currentRevision());
    await soon();
    collectGarbage();
    expect(held.filter((each) => each.deref()).length).toBeLessThan(10_000);
  });

  it('gives up an update that never gets through, and says so', async () => {
    const store = new MemoryStore({ attempts: 5, patience: 1 });
    await store.create('a', object('a', 0));
    let calls = 0;
    const unlucky = store.update('a', async (current) => {
      calls++;
      await store.update('a', writing(calls));
      return writing('never')(current);
    });
    await expect(unlucky).rejects.toBeInstanceOf(ContendedError);
    expect(calls).toBe(5);
  });

  it('is not blocked by a writer that waits for another writer of its key', async () => {
    const store = new MemoryStore({ patience: 5 });
    await store.create('a', object('a', []));
    const append = (text: string) => (current: Parameters<ReturnType<typeof writing>>[0]) =>
      writing([...(dataOf(current) as string[]), text])(current);
    let nested = 0;
    await Promise.all([
      store.update('a', async (current) => {
        await soon();
        if (nested++ < 2) await store.update('a', append('inner'));
        return append('outer')(current);
      }),
      store.update('a', append('beside')),
    ]);
    expect([...(dataOf(await store.get('a')) as string[])].sort()).toEqual(['beside', 'inner', 'inner', 'outer']);
  });

  it('cuts off a sink that throws, and the writer and the others do not notice', async () => {
    const warnings: unknown[] = [];
    const note = (warning: unknown) => warnings.push(warning);
    process.on('warning', note);
    const store = new MemoryStore();
    const seen: string[] = [];
    let calls = 0;
    await store.watch('', 1, () => {
      calls++;
      throw new Error('a broken sink');
    });
    await store.watch('', 1, ({ key }) => seen.push(key));
    await store.create('a', object('a'));
    await store.create('b', object('b'));
    await soon();
    process.off('warning', note);
    expect(seen).toEqual(['a', 'b']);
    expect(calls).toBe(1);
    expect(String(warnings[0])).toContain('a broken sink');
  });

  it('lets go of versions that nobody can ask for any more', async () => {
    const store = new MemoryStore();
    await store.create('a', object('a', 0));
    await store.create('gone', object('gone'));
    await store.update('gone', removing);
    const old = new WeakRef((await store.get('a'))?.value ?? {});
    for (let n = 1; n <= 50_000; n++) await store.update('a', writing('x'.repeat(1000) + n));
    await store.compact(await store.currentRevision());
    await soon();
    collectGarbage();
    expect(old.deref()).toBeUndefined();
    expect((await store.list('')).items).toHaveLength(1);
  });
});
