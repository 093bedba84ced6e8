import { expect, test } from 'vitest';
import { KeyHistory, KeyIndex } from './key-index.ts';
import { MemoryStore } from './memory-store.ts';
import { object, removing } from './store.fixture.ts';

/** Several leaves full. */
const count = 1500;
const names = Array.from({ length: count }, (_, n) => `k/${String(n).padStart(4, '0')}`);

/** Each once, in an order in which neighbours are far apart. */
const scattered = names.map((_, n) => names[(n * 619) % count] as string);

/** Most of one leaf, then most of the next, then the rest. */
const hollow = [...new Set([...names.slice(512, 912), ...names.slice(1024, 1424), ...names])];

const orders: readonly [string, readonly string[]][] = [
  ['from the first on', names],
  ['from the last on', names.toReversed()],
  ['all over', scattered],
  ['in the middle first', hollow],
];

/** A store, and what must be in it. */
class Model {
  readonly store = new MemoryStore();
  readonly left = new Set<string>();

  async make(...keys: readonly string[]): Promise<void> {
    for (const key of keys) if (!this.left.has(key)) await this.store.create(key, object(key));
    for (const key of keys) this.left.add(key);
  }

  async drop(key: string): Promise<void> {
    if (this.left.delete(key)) await this.store.update(key, removing);
  }

  /** What must be shown of the revision that is the newest now. */
  async noted() {
    return { revision: await this.store.currentRevision(), keys: [...this.left].sort() };
  }

  /** Lists it whole and in pages, and counts what follows each. */
  async expectToShow({ revision, keys }: Awaited<ReturnType<Model['noted']>>): Promise<void> {
    const { items } = await this.store.list('k/', { revision });
    expect(items.map(({ key }) => key)).toEqual(keys);
    for (let at = 0; at < keys.length; at += 200) {
      const after = keys[at - 1];
      const page = await this.store.list('k/', { revision, limit: 200, ...(after !== undefined && { after }) });
      expect(page.items.map(({ key }) => key)).toEqual(keys.slice(at, at + 200));
      expect(page.remaining).toBe(Math.max(0, keys.length - at - 200));
    }
  }
}

test.each(orders.flatMap(([made, making]) => orders.map(([gone, going]) => [made, gone, making, going] as const)))(
  'keys that are made %s and go %s leave those that are left in order, counted',
  async (_made, _gone, making, going) => {
    const model = new Model();
    const { store } = model;
    // Neighbours of the range, which stay.
    await store.create('j', object('j'));
    await model.make(...making);
    await store.create('l', object('l'));
    let before = await model.noted();
    await model.expectToShow(before);
    for (let from = 0; from < count; from += 150) {
      for (const key of going.slice(from, from + 150)) await model.drop(key);
      const now = await model.noted();
      // Only then does the index let go of what went before.
      await store.compact(before.revision);
      for (const each of [before, now]) await model.expectToShow(each);
      expect([await store.count('k/'), await store.count('')]).toEqual([now.keys.length, now.keys.length + 2]);
      await model.make(`k/0000-${from}`, `k/0300-${from}`);
      before = await model.noted();
    }
    await store.compact(before.revision);
    await model.make(...scattered);
    await model.expectToShow(await model.noted());
    await store.close();
  },
);

test('a leaf that is empty is gone, so that what is made next finds its place', async () => {
  const model = new Model();
  // Those that come in order fill one leaf after another.
  await model.make(...names);
  for (const key of names.slice(500, 1050)) await model.drop(key);
  await model.store.compact(await model.store.currentRevision());
  await model.make('k/0300-a', 'k/0700', 'k/1100-a');
  await model.expectToShow(await model.noted());
  await model.store.close();
});

test.each(orders)('of keys that are taken out %s nothing is left, not of the first of a leaf either', (_, going) => {
  const index = new KeyIndex();
  const histories = new Map(names.map((name) => [name, new KeyHistory(name)]));
  for (const history of histories.values()) index.insert(history);
  const held = () => index.range('', 0, 0, undefined, ({ key }) => key).items;
  expect(held()).toEqual(names);
  for (const name of going.slice(0, 1000)) index.remove(histories.get(name) as KeyHistory);
  expect(held()).toEqual(going.slice(1000).toSorted());
  for (const name of going.slice(1000)) index.remove(histories.get(name) as KeyHistory);
  expect(held()).toEqual([]);
});
