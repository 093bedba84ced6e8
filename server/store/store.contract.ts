import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../base/kube-object.ts';
import { compactionContract } from './compaction.contract.ts';
import { historyContract } from './history.contract.ts';
import { compareKeys } from './invariants.ts';
import { modelContract } from './model.contract.ts';
import { type Change, KeyExistsError, KeyMissingError, type Store, type Stored } from './store.ts';
import { watchContract } from './watch.contract.ts';

/** Gives a fresh, empty store. */
export type MakeStore = () => Store | Promise<Store>;

/** An object for tests; `data` tells versions apart. */
export const object = (name: string, data: unknown = {}): KubeObject => ({
  kind: 'Thing',
  apiVersion: 'example.com/v1',
  metadata: { name },
  data,
});

/** A change that writes new data and leaves the rest. */
export const writing = (data: unknown) => (current: Stored) => ({
  write: object(current.value.metadata.name ?? '', data),
});

export const removing = (): Change => ({ remove: true });

export const dataOf = (stored: Stored | undefined) => stored?.value['data'];
export const keysOf = (items: readonly Stored[]) => items.map(({ key }) => key);

/** Waits long enough for others to come between. */
export const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Holds every promise of `Store` against an implementation. */
export function storeContract(name: string, makeStore: MakeStore): void {
  describe(name, () => {
    describe('writes and reads', () => writeContract(makeStore));
    describe('updates under contention', () => contentionContract(makeStore));
    describe('lists', () => listContract(makeStore));
    describe('history', () => historyContract(makeStore));
    describe('watches', () => watchContract(makeStore));
    describe('compaction', () => compactionContract(makeStore));
    describe('against a naive model', () => modelContract(makeStore));
  });
}

function writeContract(makeStore: MakeStore): void {
  it('begins empty, at a revision above 0', async () => {
    const store = await makeStore();
    expect(await store.currentRevision()).toBeGreaterThan(0);
    expect(await store.get('a')).toBeUndefined();
    expect((await store.list('')).items).toEqual([]);
    expect(await store.count('')).toBe(0);
  });

  it('stamps what it stores with the revision of the write', async () => {
    const store = await makeStore();
    const before = await store.currentRevision();
    const stored = await store.create('a', object('a'));
    expect(stored.revision).toBe(before + 1);
    expect(stored.key).toBe('a');
    expect(stored.value.metadata.resourceVersion).toBe(String(stored.revision));
    expect(await store.currentRevision()).toBe(stored.revision);
  });

  it('overwrites a resourceVersion that somebody sent', async () => {
    const store = await makeStore();
    const stored = await store.create('a', { ...object('a'), metadata: { name: 'a', resourceVersion: '999' } });
    expect(stored.value.metadata.resourceVersion).toBe(String(stored.revision));
  });

  it('encodes compactly, with kind and apiVersion first wherever they stood', async () => {
    const store = await makeStore();
    const value = { 7: 'seven', metadata: { name: 'a' }, apiVersion: 'v1', big: 2n ** 60n, kind: 'Thing', text: 'é' };
    const stored = await store.create('a', value as KubeObject);
    expect(stored.bytes.toString()).toBe(
      `{"kind":"Thing","apiVersion":"v1","7":"seven","metadata":{"name":"a","resourceVersion":"${stored.revision}"},"big":${2n ** 60n},"text":"é"}`,
    );
    expect(stored.bytes).toBe(stored.bytes);
  });

  it('lets a read that starts after a write see it', async () => {
    const store = await makeStore();
    for (let n = 0; n < 20; n++) {
      if (n === 0) await store.create('a', object('a', n));
      else await store.update('a', writing(n));
      expect(dataOf(await store.get('a'))).toBe(n);
      expect((await store.list('')).items.map(dataOf)).toEqual([n]);
    }
  });

  it('refuses to create a key twice and shows what is there', async () => {
    const store = await makeStore();
    const first = await store.create('a', object('a', 1));
    const error = await store.create('a', object('a', 2)).catch((caught) => caught);
    expect(error).toBeInstanceOf(KeyExistsError);
    expect(error.current.revision).toBe(first.revision);
    expect(await store.currentRevision()).toBe(first.revision);
  });

  it('creates a key once when many try', async () => {
    const store = await makeStore();
    const tries = Array.from({ length: 20 }, (_, n) => store.create('a', object('a', n)).catch((error) => error));
    const results = await Promise.all(tries);
    expect(results.filter((result) => !(result instanceof KeyExistsError))).toHaveLength(1);
  });

  it('creates a key again after its removal', async () => {
    const store = await makeStore();
    await store.create('a', object('a', 1));
    await store.update('a', removing);
    const again = await store.create('a', object('a', 2));
    expect(dataOf(await store.get('a'))).toBe(2);
    expect(await store.currentRevision()).toBe(again.revision);
  });

  it('writes, keeps and removes as the change says', async () => {
    const store = await makeStore();
    const created = await store.create('a', object('a', 1));
    const kept = await store.update('a', () => ({ keep: true }));
    expect(kept).toMatchObject({ outcome: 'kept', revision: created.revision });
    expect(await store.currentRevision()).toBe(created.revision);
    const written = await store.update('a', writing(2));
    expect(written).toMatchObject({ outcome: 'written', revision: created.revision + 1 });
    expect(written.stored.revision).toBe(written.revision);
    const answer = object('a', 'bye');
    const removed = await store.update('a', () => ({ remove: true, answer }));
    expect(removed).toMatchObject({ outcome: 'removed', revision: written.revision + 1, answer });
    expect(removed.stored.revision).toBe(written.revision);
    expect(await store.get('a')).toBeUndefined();
  });

  it('has nothing to update where no key is', async () => {
    const store = await makeStore();
    await expect(store.update('a', writing(1))).rejects.toBeInstanceOf(KeyMissingError);
    await store.create('a', object('a'));
    await store.update('a', removing);
    await expect(store.update('a', writing(1))).rejects.toBeInstanceOf(KeyMissingError);
  });

  it('writes nothing when the change throws', async () => {
    const store = await makeStore();
    const created = await store.create('a', object('a', 1));
    const refuse = () => {
      throw new RangeError('no');
    };
    await expect(store.update('a', refuse)).rejects.toBeInstanceOf(RangeError);
    await expect(store.update('a', async () => refuse())).rejects.toBeInstanceOf(RangeError);
    expect(await store.currentRevision()).toBe(created.revision);
  });

  it.each(['__proto__', 'constructor', 'a/../b', '', 'ключ', '🔑'])(
    'takes %j for a key like any other',
    async (key) => {
      const store = await makeStore();
      expect(await store.get(key)).toBeUndefined();
      await store.create(key, object('x', 1));
      expect(dataOf(await store.get(key))).toBe(1);
      expect(keysOf((await store.list(key)).items)).toEqual([key]);
    },
  );
}

function contentionContract(makeStore: MakeStore): void {
  it('calls the change again with the newer version when another write came between', async () => {
    const store = await makeStore();
    await store.create('a', object('a', 1));
    const seen: unknown[] = [];
    await store.update('a', async (current) => {
      seen.push(dataOf(current));
      if (seen.length === 1) await store.update('a', writing(2));
      return writing(`${dataOf(current)} and more`)(current);
    });
    expect(seen).toEqual([1, 2]);
    expect(dataOf(await store.get('a'))).toBe('2 and more');
  });

  it('does not resurrect what was removed meanwhile', async () => {
    const store = await makeStore();
    await store.create('a', object('a', 1));
    const late = store.update('a', async (current) => {
      if (dataOf(current) === 1) await store.update('a', removing);
      return writing(2)(current);
    });
    await expect(late).rejects.toBeInstanceOf(KeyMissingError);
    expect(await store.get('a')).toBeUndefined();
  });

  it('does not mistake a key that was removed and created again for the one it knew', async () => {
    const store = await makeStore();
    await store.create('a', object('a', 1));
    const seen: unknown[] = [];
    await store.update('a', async (current) => {
      seen.push(dataOf(current));
      if (seen.length === 1) {
        await store.update('a', removing);
        await store.create('a', object('a', 'another'));
      }
      return { keep: true };
    });
    expect(seen).toEqual([1, 'another']);
  });

  it('lets 100 writers of one key all finish, none losing the work of another, in linear time', async () => {
    const store = await makeStore();
    await store.create('a', object('a', 0));
    let calls = 0;
    const increment = async (current: Stored) => {
      calls++;
      await soon();
      return writing(Number(dataOf(current)) + 1)(current);
    };
    await Promise.all(Array.from({ length: 100 }, () => store.update('a', increment)));
    expect(dataOf(await store.get('a'))).toBe(100);
    expect(calls).toBeLessThan(400);
  });

  it('gives each writer of several keys what it wrote', async () => {
    const store = await makeStore();
    for (const key of ['a', 'b', 'c']) await store.create(key, object(key, []));
    const append = async (key: string, n: number) => {
      const result = await store.update(key, async (current) => {
        await soon();
        return writing([...(dataOf(current) as number[]), n])(current);
      });
      expect((dataOf(result.stored) as number[]).at(-1)).toBe(n);
    };
    await Promise.all(Array.from({ length: 60 }, (_, n) => append('abc'.charAt(n % 3), n)));
    const { items } = await store.list('');
    expect(items.flatMap((stored) => dataOf(stored) as number[]).sort((a, b) => a - b)).toEqual([...Array(60).keys()]);
  });
}

function listContract(makeStore: MakeStore): void {
  const names = ['p/x', 'p-x/a', 'p/10', 'p/9', 'p/a', 'p/a-1', 'p/a.b', 'p/a1', 'p0/a', 'p/é', 'p/￰', 'p/🔑', 'p/Z'];

  it('shows keys in the order of their bytes', async () => {
    const store = await makeStore();
    for (const key of names) await store.create(key, object('x'));
    const sorted = [...names].sort(compareKeys);
    expect(keysOf((await store.list('')).items)).toEqual(sorted);
    expect(keysOf((await store.list('p/')).items)).toEqual(sorted.filter((key) => key.startsWith('p/')));
    expect(await store.count('p/')).toBe(11);
    expect((await store.list('q')).items).toEqual([]);
  });

  it('gives pages that together are the list, and says how many follow', async () => {
    const store = await makeStore();
    for (const key of names) await store.create(key, object('x'));
    const whole = (await store.list('p/')).items;
    for (const limit of [1, 2, 3, 9, 10, 11]) {
      const pages: Stored[] = [];
      for (let after: string | undefined; ; ) {
        const page = await store.list('p/', { limit, ...(after !== undefined && { after }) });
        pages.push(...page.items);
        expect(page.remaining).toBe(whole.length - pages.length);
        if (page.remaining === 0) break;
        after = page.items.at(-1)?.key;
      }
      expect(keysOf(pages)).toEqual(keysOf(whole));
    }
  });

  it('goes on after any text, whether it is a key or not', async () => {
    const store = await makeStore();
    for (const key of ['p/a', 'p/c']) await store.create(key, object('x'));
    const after = async (text: string) => keysOf((await store.list('p/', { after: text })).items);
    expect(await after('')).toEqual(['p/a', 'p/c']);
    expect(await after('p/a')).toEqual(['p/c']);
    expect(await after('p/b')).toEqual(['p/c']);
    expect(await after('p/c')).toEqual([]);
    expect(await after('z')).toEqual([]);
  });

  it('gives a list of its own, which later writes leave alone', async () => {
    const store = await makeStore();
    await store.create('a', object('a', 1));
    const { items } = await store.list('');
    await store.update('a', writing(2));
    await store.create('b', object('b'));
    expect(items.map(dataOf)).toEqual([1]);
  });

  it('keeps order and count through thousands of keys that come and go', async () => {
    const store = await makeStore();
    const keys = Array.from({ length: 3000 }, (_, n) => `k/${(n * 7919) % 3000}`);
    for (const key of keys) await store.create(key, object('x'));
    const gone = new Set(keys.filter((_, n) => n % 3 > 0));
    for (const key of gone) await store.update(key, removing);
    await store.compact(await store.currentRevision());
    const left = keys.filter((key) => !gone.has(key)).sort(compareKeys);
    expect(keysOf((await store.list('k/')).items)).toEqual(left);
    expect(await store.count('k/')).toBe(left.length);
    for (const key of keys) if (gone.has(key)) await store.create(key, object('y'));
    expect(keysOf((await store.list('k/')).items)).toEqual([...keys].sort(compareKeys));
    expect(await store.count('k/1')).toBe(keys.filter((key) => key.startsWith('k/1')).length);
  });
}
