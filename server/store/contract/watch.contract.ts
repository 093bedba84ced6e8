import { expect, it } from 'vitest';
import { dataOf, type MakeStore, object, removing, soon, writing } from '../store.fixture.ts';
import type { Store, Stored, StoreEvent } from '../store.ts';

const summary = ({ key, previous, current }: StoreEvent) =>
  `${key}: ${dataOf(previous) ?? '-'} > ${dataOf(current) ?? '-'}`;

async function follow(store: Store, prefix: string, revision: number) {
  const events: StoreEvent[] = [];
  const subscription = await store.watch(prefix, revision, (event) => events.push(event));
  return { events, subscription, texts: () => events.map(summary) };
}

async function threeWrites(store: Store): Promise<number> {
  const { revision } = await store.create('a/1', object('1', 'one'));
  await store.update('a/1', writing('two'));
  await store.update('a/1', removing);
  return revision;
}

/** A subscriber sees every change after its revision once, in order. */
export function watchContract(makeStore: MakeStore): void {
  it('tells of a create, a change and a removal with what was before and after', async () => {
    const store = await makeStore();
    const watch = await follow(store, 'a/', await store.currentRevision());
    const first = await threeWrites(store);
    expect(watch.texts()).toEqual(['a/1: - > one', 'a/1: one > two', 'a/1: two > -']);
    expect(watch.events.map(({ revision }) => revision)).toEqual([first, first + 1, first + 2]);
    expect(watch.subscription.progress()).toBe(first + 2);
  });

  it('shows a removed object in its last state under the version of the removal', async () => {
    const store = await makeStore();
    const watch = await follow(store, '', await store.currentRevision());
    const first = await threeWrites(store);
    const [created, , removal] = watch.events;
    expect(created?.removed).toBeUndefined();
    expect(dataOf(removal?.removed)).toBe('two');
    expect(removal?.removed?.revision).toBe(first + 2);
    expect(removal?.removed?.value.metadata.resourceVersion).toBe(String(first + 2));
    expect(removal?.previous?.value.metadata.resourceVersion).toBe(String(first + 1));
    expect(JSON.parse(String(removal?.removed?.bytes)).metadata.resourceVersion).toBe(String(first + 2));
  });

  it('says nothing of writes that fail or keep', async () => {
    const store = await makeStore();
    await store.create('a', object('a'));
    const watch = await follow(store, '', await store.currentRevision());
    await store.create('a', object('a')).catch(() => {});
    await store.update('b', writing(1)).catch(() => {});
    await store.update('a', () => ({ keep: true }));
    expect(watch.events).toEqual([]);
  });

  it('begins with the history after its revision, then goes on', async () => {
    const store = await makeStore();
    const first = await threeWrites(store);
    const watch = await follow(store, 'a/', first);
    expect(watch.texts()).toEqual(['a/1: one > two', 'a/1: two > -']);
    await store.create('a/1', object('1', 'three'));
    expect(watch.texts().at(-1)).toBe('a/1: - > three');
  });

  it('is only told of keys under its prefix', async () => {
    const store = await makeStore();
    const start = await store.currentRevision();
    const prefixes = ['', 'a', 'a/', 'a/b', 'a/bc', 'ab'];
    const watches = await Promise.all(prefixes.map((prefix) => follow(store, prefix, start)));
    const keys = ['a', 'a/', 'a/b', 'a/bc', 'ab', 'b'];
    for (const key of keys) await store.create(key, object('x'));
    for (const [i, prefix] of prefixes.entries()) {
      const wanted = keys.filter((key) => key.startsWith(prefix));
      expect(watches[i]?.events.map(({ key }) => key)).toEqual(wanted);
      expect((await follow(store, prefix, start)).events.map(({ key }) => key)).toEqual(wanted);
    }
  });

  it('tells whoever cares about some objects of all that are, become or were such', async () => {
    const store = await makeStore();
    const told: string[] = [];
    const concern = { about: 'data', textOf: (stored: Stored) => dataOf(stored) as string, value: 'mine' };
    await store.watch('a/', await store.currentRevision(), (event) => told.push(summary(event)), { concern });
    await store.create('a/1', object('1', 'mine'));
    await store.create('a/2', object('2', 'other'));
    await store.update('a/2', writing('mine'));
    await store.update('a/1', writing('other'));
    await store.update('a/1', removing);
    await store.update('a/2', removing);
    const others = ['a/2: - > other', 'a/1: other > -'];
    expect(told.filter((text) => !others.includes(text))).toEqual([
      'a/1: - > mine',
      'a/2: other > mine',
      'a/1: mine > other',
      'a/2: mine > -',
    ]);
  });

  it('waits for changes after a revision that is still to come', async () => {
    const store = await makeStore();
    const start = await store.currentRevision();
    const watch = await follow(store, '', start + 2);
    expect(watch.subscription.progress()).toBeLessThan(start + 2);
    for (const key of ['a', 'b', 'c', 'd']) await store.create(key, object('x'));
    expect(watch.events.map(({ revision }) => revision)).toEqual([start + 3, start + 4]);
  });

  it('is silent once it is stopped, even by its own sink', async () => {
    const store = await makeStore();
    const start = await store.currentRevision();
    const one = await follow(store, '', start);
    const seen: string[] = [];
    const other = await store.watch('', start, ({ key }) => {
      seen.push(key);
      other.stop();
    });
    await store.create('a', object('a'));
    one.subscription.stop();
    one.subscription.stop();
    await store.create('b', object('b'));
    expect(one.events).toHaveLength(1);
    expect(seen).toEqual(['a']);
  });

  it('tells everybody of a change before what a sink writes about it', async () => {
    const store = await makeStore();
    const start = await store.currentRevision();
    let inside = false;
    const writes: Promise<unknown>[] = [];
    await store.watch('', start, ({ key }) => {
      expect(inside).toBe(false);
      inside = true;
      if (key.length < 4) writes.push(store.create(`${key}x`, object('x')));
      inside = false;
    });
    const others = await follow(store, '', start);
    await store.create('a', object('a'));
    // Each may lead to another one.
    for (let n = 0; n < writes.length; n++) await writes[n];
    expect(others.events.map(({ key }) => key)).toEqual(['a', 'ax', 'axx', 'axxx']);
    expect(others.events.map(({ revision }) => revision)).toEqual([1, 2, 3, 4].map((n) => start + n));
  });

  it('gives a watch that a sink opens every change once', async () => {
    const store = await makeStore();
    const start = await store.currentRevision();
    const opened: Promise<{ events: StoreEvent[] }>[] = [];
    await store.watch('', start, ({ key }) => {
      if (key === 'b') opened.push(follow(store, '', start));
    });
    for (const key of ['a', 'b', 'c']) await store.create(key, object('x'));
    const [late] = await Promise.all(opened);
    expect(late?.events.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
  });

  it('has neither gap nor repetition between history and new changes, whenever it starts', async () => {
    const store = await makeStore();
    const start = await store.currentRevision();
    const all = await follow(store, 'k/', start);
    const write = async (writer: number) => {
      for (let n = 0; n < 30; n++) {
        const key = `k/${writer % 3}`;
        await store.create(key, object('x', `${writer}.${n}`)).catch(() => {});
        await soon();
        const change =
          n % 5 === 4
            ? removing
            : async (current: Parameters<ReturnType<typeof writing>>[0]) => {
                await soon();
                return writing(`${writer}.${n}`)(current);
              };
        await store.update(key, change).catch(() => {});
      }
    };
    const watches: { from: number; events: StoreEvent[] }[] = [];
    const watchOften = async () => {
      for (let n = 0; n < 40; n++) {
        const from = Math.max(start, (await store.currentRevision()) - (n % 7));
        watches.push({ from, events: (await follow(store, 'k/', from)).events });
        await soon();
      }
    };
    await Promise.all([...Array.from({ length: 6 }, (_, writer) => write(writer)), watchOften()]);
    expect(all.events.length).toBeGreaterThan(100);
    for (const { from, events } of watches) {
      const wanted = all.events.filter(({ revision }) => revision > from);
      expect(events.map(({ revision }) => revision)).toEqual(wanted.map(({ revision }) => revision));
    }
  });

  it('ends all watches when it is closed', async () => {
    const store = await makeStore();
    const watch = await follow(store, '', await store.currentRevision());
    await store.close();
    await store.create('a', object('a')).catch(() => {});
    expect(watch.events).toEqual([]);
  });
}
