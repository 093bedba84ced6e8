import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { Journal } from './journal.ts';
import { MemoryStore } from './memory-store.ts';
import { Room } from './room.ts';
import { object, removing, writing } from './store.fixture.ts';
import { CompactedError, OverloadedError, StorageError } from './store.ts';

describe('room for objects', () => {
  it('ends with the last one that may be, and is there again when one goes', async () => {
    const store = new MemoryStore({ room: new Room({ maxObjects: 2 }) });
    await store.create('a', object('a'));
    await store.create('b', object('b'));
    await expect(store.create('c', object('c'))).rejects.toBeInstanceOf(StorageError);
    await store.update('a', writing(2));
    await store.update('a', removing);
    expect((await store.create('c', object('c'))).revision).toBe(6);
  });

  it('is taken by what is being kept as well, and given back by what could not be', async () => {
    const keep: (() => void)[] = [];
    let asked = 0;
    const journal: Journal = {
      keep(_change, _before, enter) {
        if (++asked === 2) return Promise.reject(new StorageError('the disk is full'));
        const { promise, resolve } = Promise.withResolvers<void>();
        keep.push(() => resolve(enter()));
        return promise;
      },
      check() {},
      close: async () => {},
    };
    const store = new MemoryStore({ room: new Room({ maxObjects: 2 }), journal });
    const first = store.create('a', object('a'));
    const second = store.create('b', object('b'));
    await expect(store.create('c', object('c'))).rejects.toThrow('there are 2 objects');
    await expect(second).rejects.toThrow('the disk is full');
    const third = store.create('c', object('c'));
    await expect(store.create('d', object('d'))).rejects.toThrow('there are 2 objects');
    for (const each of keep) each();
    await Promise.all([first, third]);
    await expect(store.create('d', object('d'))).rejects.toThrow('there are 2 objects');
  });

  it('ends when the heap is nearly full, and only what removes goes on', async () => {
    let inUse = 0.5;
    const store = new MemoryStore({ room: new Room({ maxObjects: 0, heapInUse: () => inUse }) });
    for (let n = 0; n < 32; n++) await store.create(`${n}`, object('x'));
    inUse = 0.95;
    await expect(store.create('more', object('x'))).rejects.toBeInstanceOf(OverloadedError);
    await expect(store.update('1', writing(2))).rejects.toBeInstanceOf(OverloadedError);
    await store.update('1', removing);
    const going = (more: object) => ({
      ...object('x'),
      metadata: { deletionTimestamp: '2022-01-01T00:00:00Z', ...more },
    });
    await store.update('2', () => ({ write: going({ finalizers: ['a', 'b'] }) }));
    await store.update('2', () => ({ write: going({ finalizers: ['b'] }) }));
    await store.update('2', removing);
    await expect(store.create('going', going({}))).rejects.toBeInstanceOf(OverloadedError);
    inUse = 0.5;
    await store.create('more', object('x'));
  });
});

describe('history', () => {
  it('is given up before its time when it takes too much room', async () => {
    const store = new MemoryStore();
    const { revision } = await store.create('a', object('a'));
    const large = 'x'.repeat(1024 * 1024);
    for (let n = 0; n < 300; n++) void (await store.update('a', writing(large + n))).stored.bytes;
    await expect(store.list('', { revision })).rejects.toBeInstanceOf(CompactedError);
    const newest = await store.currentRevision();
    expect((await store.list('', { revision: newest - 50 })).items).toHaveLength(1);
  });
});

/** In a thread that may keep 128 MB: whether there is room while it holds none, half and nearly all of them. */
const inSmallThread = `
  import v8 from 'node:v8';
  import vm from 'node:vm';
  import { parentPort } from 'node:worker_threads';
  const { Room } = await import(${JSON.stringify(new URL('./room.ts', import.meta.url).href)});
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  const held = [];
  const hasRoom = (megabytes) => {
    while (held.length < megabytes) held.push(new Array(131_072).fill(0.5));
    collect();
    try {
      new Room({ maxObjects: 0 }).demand({ metadata: {} }, true, undefined, []);
      return true;
    } catch {
      return false;
    }
  };
  parentPort.postMessage([0, 64, 114].map(hasRoom));
`;

it('knows how much a thread may keep that was given little', async () => {
  const code = new URL(`data:text/javascript,${encodeURIComponent(inSmallThread)}`);
  const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 4 };
  const worker = new Worker(code, { resourceLimits, execArgv: [] });
  const [found] = await once(worker, 'message');
  await worker.terminate();
  expect(found).toEqual([true, true, false]);
});
