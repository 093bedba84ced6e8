import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolders } from '../../../fixtures/temporary-folder.fixture.ts';
import { ManualTimers } from '../../base/time/manual-timers.fixture.ts';
import type { MemoryStore } from '../memory-store.ts';
import { dataOf, object, removing, soon, writing } from '../store.fixture.ts';
import { StorageError, type Store, type Stored } from '../store.ts';
import { type DataFolderOptions, openDataFolder } from './data-folder.ts';

/** What the disk says to being asked to make things safe, and to writes; undefined: it does as it is told. */
const disk: { sync: (() => Error | undefined) | undefined; write: Error | undefined } = {
  sync: undefined,
  write: undefined,
};

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const fdatasync = (fd: number, done: (error: Error | null) => void) => {
    const error = disk.sync?.();
    if (error) setImmediate(() => done(error));
    else fs.fdatasync(fd, done);
  };
  const writeSync = (fd: number, bytes: Buffer, from: number, length: number, at: number): number => {
    if (disk.write) throw disk.write;
    return fs.writeSync(fd, bytes, from, length, at);
  };
  return { ...fs, fdatasync, writeSync };
});

const newFolder = temporaryFolders();
afterEach(() => {
  disk.sync = undefined;
  disk.write = undefined;
});

const open = (folder: string, options: Partial<DataFolderOptions> = {}): Promise<MemoryStore> =>
  openDataFolder({ folder, sync: 'always', store: { freeze: true }, report: () => {}, ...options });

/** The disk fails the next time it is to make something safe, and not again. */
function failOnce(beside: () => void = () => {}): void {
  disk.sync = () => {
    disk.sync = undefined;
    beside();
    return new Error('EIO');
  };
}

const contents = async (store: Store) =>
  (await store.list('')).items.map((stored) => [stored.key, dataOf(stored)] as const);

test('what could not be made safe is refused, seen by nobody and not back after a restart', async () => {
  const folder = newFolder();
  const store = await open(folder);
  const seen: string[] = [];
  await store.watch('', await store.currentRevision(), ({ key }) => seen.push(key));
  await store.create('a', object('a'));
  failOnce();
  const lost = await Promise.allSettled(['b', 'c'].map((key) => store.create(key, object(key))));
  expect(lost).toEqual(Array.from(lost, () => ({ status: 'rejected', reason: expect.any(StorageError) })));
  expect(await store.get('b')).toBeUndefined();
  await store.create('d', object('d'));
  await store.update('a', writing(2));
  expect(seen).toEqual(['a', 'd', 'a']);
  await store.close();
  const again = await open(folder);
  expect(await contents(again)).toEqual([
    ['a', 2],
    ['d', {}],
  ]);
  await again.close();
});

test('once it is not certain any more what is kept, nothing is taken until a restart', async () => {
  const folder = newFolder();
  const reports: unknown[] = [];
  const store = await open(folder, { report: (error) => void reports.push(error) });
  await store.create('a', object('a'));
  failOnce(() => {
    disk.write = new Error('EROFS');
  });
  await expect(store.create('b', object('b'))).rejects.toThrow('EIO');
  expect(reports.map(String)).toEqual([expect.stringMatching(/not certain any more: .*EROFS/)]);
  disk.write = undefined;
  await expect(store.create('c', object('c'))).rejects.toThrow(StorageError);
  expect(await contents(store)).toEqual([['a', {}]]);
  await store.close();
  const again = await open(folder);
  expect(await again.get('c')).toBeUndefined();
  expect(dataOf(await again.get('a'))).toEqual({});
  await again.create('c', object('c'));
  await again.close();
});

test.each(['always', 'interval'] as const)('that changes are refused is told once a minute: %s', async (sync) => {
  const timers = new ManualTimers();
  const reports: unknown[] = [];
  const store = await open(newFolder(), { sync, timers, report: (error) => void reports.push(error) });
  const refused = () => expect(store.create('a', object('a'))).rejects.toThrow(StorageError);
  await store.create('b', object('b'));
  expect(reports).toEqual([]);
  disk.write = new Error('EROFS');
  for (let n = 0; n < 3; n++) await refused();
  expect(reports.map(String)).toEqual([expect.stringContaining('EROFS')]);
  timers.advance(60_000);
  await refused();
  expect(reports.length).toBe(2);
  disk.write = undefined;
  await store.create('a', object('a'));
  await store.close();
  expect(reports.length).toBe(2);
});

test('those who wait when it becomes uncertain are refused as well', async () => {
  const store = await open(newFolder(), { report: () => {} });
  const later: Promise<unknown>[] = [];
  failOnce(() => {
    later.push(expect(store.create('b', object('b'))).rejects.toThrow('not certain any more'));
    disk.write = new Error('EROFS');
  });
  await expect(store.create('a', object('a'))).rejects.toThrow('EIO');
  await Promise.all(later);
  expect(later.length).toBe(1);
  await store.close();
});

test('a disk that fails beside the writes ends them all', async () => {
  const timers = new ManualTimers();
  const reports: unknown[] = [];
  const report = (error: unknown) => void reports.push(error);
  const store = await open(newFolder(), { sync: 'interval', timers, report });
  await store.create('a', object('a'));
  failOnce();
  timers.advance(1000);
  await soon();
  await soon();
  expect(reports.map(String)).toEqual([expect.stringContaining('EIO')]);
  await expect(store.create('b', object('b'))).rejects.toThrow(StorageError);
  expect(await contents(store)).toEqual([['a', {}]]);
  await store.close();
});

test('a store that is closed keeps what is on its way first', async () => {
  const folder = newFolder();
  const store = await open(folder);
  const written = store.create('a', object('a'));
  await Promise.all([written, store.close()]);
  const again = await open(folder);
  expect(await contents(again)).toEqual([['a', {}]]);
  await again.close();
});

/** Writes one more than there was. */
const counting = (current: Stored) => writing(Number(dataOf(current)) + 1)(current);

test('of changes that are decided on at the same time none is lost', async () => {
  const store = await open(newFolder());
  await store.create('a', object('a', 0));
  const slowly = async (current: Stored) => {
    await soon();
    return counting(current);
  };
  await Promise.all(Array.from({ length: 5 }, (_, n) => store.update('a', n % 2 === 0 ? slowly : counting)));
  expect(await contents(store)).toEqual([['a', 5]]);
  await store.close();
});

test('a change of what is on its way to the disk is decided on what becomes of it', async () => {
  const store = await open(newFolder());
  await store.create('a', object('a', 0));
  await Promise.all(Array.from({ length: 5 }, () => store.update('a', counting)));
  expect(await contents(store)).toEqual([['a', 5]]);
  failOnce();
  const [lost, kept] = await Promise.allSettled([store.update('a', counting), store.update('a', counting)]);
  expect([lost?.status, kept?.status]).toEqual(['rejected', 'fulfilled']);
  expect(await contents(store)).toEqual([['a', 6]]);
  failOnce();
  await Promise.allSettled([store.update('a', removing), store.update('a', counting)]);
  expect(await contents(store)).toEqual([['a', 7]]);
  await store.close();
});

test('what is made on a basis that is being changed is decided anew, on what becomes of that', async () => {
  const store = await open(newFolder());
  await store.create('type', object('type', 'old'));
  const make = (key: string) =>
    store.upsert(key, async () => {
      const basis = await store.get('type');
      return { write: object(key, dataOf(basis)), basis: { key: 'type', revision: basis?.revision ?? 0 } };
    });
  await Promise.all([store.update('type', writing('new')), make('a')]);
  failOnce();
  await Promise.allSettled([store.update('type', writing('lost')), make('b')]);
  expect(await contents(store)).toEqual([
    ['a', 'new'],
    ['b', 'new'],
    ['type', 'new'],
  ]);
  await store.close();
});
