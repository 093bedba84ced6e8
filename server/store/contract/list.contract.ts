import { expect, it } from 'vitest';
import { compareKeys } from '../invariants.fixture.ts';
import { dataOf, keysOf, type MakeStore, object, removing, writing } from '../store.fixture.ts';
import type { Stored } from '../store.ts';

/** Lists of what exists now: order, ranges and pages. */
export function listContract(makeStore: MakeStore): void {
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
    await eachOf(keys, (key) => store.create(key, object('x')));
    const gone = new Set(keys.filter((_, n) => n % 3 > 0));
    await eachOf([...gone], (key) => store.update(key, removing));
    await store.compact(await store.currentRevision());
    const left = keys.filter((key) => !gone.has(key)).sort(compareKeys);
    expect(keysOf((await store.list('k/')).items)).toEqual(left);
    expect(await store.count('k/')).toBe(left.length);
    await eachOf([...gone], (key) => store.create(key, object('y')));
    expect(keysOf((await store.list('k/')).items)).toEqual([...keys].sort(compareKeys));
    expect(await store.count('k/1')).toBe(keys.filter((key) => key.startsWith('k/1')).length);
  });
}

/** Some at a time: where each has to reach a disk, one after the other takes long. */
async function eachOf(keys: readonly string[], work: (key: string) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < keys.length; start += 100) await Promise.all(keys.slice(start, start + 100).map(work));
}
