import { expect, it } from 'vitest';
import { dataOf, type MakeStore, object, removing, soon, writing } from '../store.fixture.ts';
import { type Change, KeyMissingError, type Stored } from '../store.ts';

/** Updates of one key by many. */
export function contentionContract(makeStore: MakeStore): void {
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

  it.each([
    ['changed', writing(2)],
    ['removed', removing],
  ])('decides anew on a new key whose basis is %s meanwhile, and not on one that is there', async (_what, change) => {
    const store = await makeStore();
    const basis = await store.create('basis', object('basis', 1));
    const seen: unknown[] = [];
    const makes = async (current: Stored | undefined): Promise<Change> => {
      const now = await store.get('basis');
      seen.push(dataOf(now));
      if (seen.length === 1) await store.update('basis', change);
      return { write: object('a', dataOf(current)), basis: { ...basis, revision: now?.revision ?? 0 } };
    };
    expect((await store.upsert('a', makes)).outcome).toBe('created');
    expect(seen).toEqual([1, dataOf(await store.get('basis'))]);
    const old = { ...basis, revision: 1 };
    expect((await store.upsert('a', () => ({ write: object('a', 3), basis: old }))).outcome).toBe('written');
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
