import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolders } from '../../../fixtures/temporary-folder.fixture.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import type { MemoryStore } from '../memory-store.ts';
import { dataOf, object, removing, soon, writing } from '../store.fixture.ts';
import { StorageError, type Stored } from '../store.ts';
import { openDataFolder } from './data-folder.ts';
import type { Sync } from './file-journal.ts';

/**
 * A disk for one folder: how many bytes there are, whether it tells of them, and what it says to any write; undefined: it
 * does as it is told.
 */
const disk: { folder: string; capacity: number; tells: boolean | 'nothing'; error: Error | undefined } = {
  folder: '',
  capacity: Number.POSITIVE_INFINITY,
  tells: true,
  error: undefined,
};

function used(): number {
  return readdirSync(disk.folder).reduce(
    (sum, name) => sum + (statSync(join(disk.folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function demand(bytes: number): void {
  if (used() + bytes > disk.capacity) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
}

vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  const open = async (...given: Parameters<typeof fs.open>) => {
    const file = await fs.open(...given);
    const append = file.appendFile.bind(file);
    file.appendFile = async (piece) => {
      demand((piece as Buffer).length);
      return append(piece);
    };
    return file;
  };
  return { ...fs, open };
});

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const writeSync = (fd: number, bytes: Buffer, from: number, length: number, at: number): number => {
    if (disk.error) throw disk.error;
    const grows = at + length - fs.fstatSync(fd).size;
    if (grows > 0) demand(grows);
    return fs.writeSync(fd, bytes, from, length, at);
  };
  const statfsSync = () => {
    if (disk.tells === false) throw Object.assign(new Error('not implemented'), { code: 'ENOSYS' });
    if (disk.tells === 'nothing') return { blocks: 0, bavail: 0, bsize: 0 };
    return { blocks: disk.capacity, bavail: disk.capacity - used(), bsize: 1 };
  };
  return { ...fs, writeSync, statfsSync };
});

const newFolder = temporaryFolders();
afterEach(() => Object.assign(disk, { capacity: Number.POSITIVE_INFINITY, tells: true, error: undefined }));

const megabyte = 1024 * 1024;
const large = 'x'.repeat(600_000);

async function openOn(capacity: number, sync: Sync = 'interval', turnOverAt?: number): Promise<MemoryStore> {
  Object.assign(disk, { folder: newFolder(), capacity });
  return reopen(sync, turnOverAt);
}

async function reopen(sync: Sync = 'interval', turnOverAt = 16 * megabyte): Promise<MemoryStore> {
  const store = await openDataFolder({
    folder: disk.folder,
    sync,
    turnOverAt,
    store: { freeze: true },
    report: () => {},
  });
  await vi.waitFor(() => store.checkWritable(), 5000);
  return store;
}

/** Makes large objects until there is no room, once that of before is there. @returns their keys */
async function fill(store: MemoryStore): Promise<string[]> {
  for (let n = 0; n < 2; n++) await vi.waitFor(() => store.create(`k/${n}`, object(`${n}`, large)), 5000);
  for (let n = 2; n < 40; n++) {
    const failure = await store.create(`k/${n}`, object(`${n}`, large)).catch((error) => error);
    if (failure instanceof StorageError) return (await store.list('k/')).items.map(({ key }) => key);
  }
  throw new Error('the disk never was full');
}

const keysOf = async (store: MemoryStore) => (await store.list('')).items.map(({ key }) => key);

for (const sync of ['always', 'interval'] as const) {
  test(`on a full disk what is removed makes room for what comes, time and again: ${sync}`, async () => {
    const store = await openOn(10 * megabyte, sync);
    await store.create('stays', object('stays'));
    for (let round = 0; round < 4; round++) {
      const keys = await fill(store);
      for (const key of keys) await store.update(key, removing);
      await vi.waitFor(() => store.create(`after/${round}`, object('after', large)), 5000);
      await store.update(`after/${round}`, writing('small'));
      expect(used()).toBeLessThanOrEqual(disk.capacity);
    }
    await store.close();
    const again = await reopen();
    expect(await keysOf(again)).toEqual(['after/0', 'after/1', 'after/2', 'after/3', 'stays']);
    await again.close();
  });
}

test('what goes step by step may do so on a full disk', async () => {
  const store = await openOn(10 * megabyte);
  const [key = ''] = await fill(store);
  const going = ({ value }: Stored) => {
    const metadata = { ...value.metadata, deletionTimestamp: '2024-01-01T00:00:00Z' };
    return { write: { ...value, metadata } as KubeObject };
  };
  await expect(store.update(key, writing(`${large}y`))).rejects.toThrow(StorageError);
  await store.update(key, going);
  await store.update(key, removing);
  await vi.waitFor(() => store.create('after', object('after', large)), 5000);
  await store.close();
});

test.each([
  ['the disk is full', 10 * megabyte, 16 * megabyte],
  ['the changes are large', 9 * megabyte, 4 * megabyte],
])(
  'changes of little go on for ever on a small disk, where the state is written anew since %s',
  async (_, capacity, turnOverAt) => {
    const store = await openOn(capacity, 'interval', turnOverAt);
    await store.create('a', object('a'));
    for (let n = 0; n < 60; n++) {
      await vi.waitFor(() => store.update('a', writing(`${n}${large}`)), 5000);
      await soon();
    }
    expect(used()).toBeLessThanOrEqual(disk.capacity);
    await store.close();
    const again = await reopen();
    expect(dataOf(await again.get('a'))).toBe(`59${large}`);
    await again.close();
  },
);

test('of changes that are made at once those that remove something find room on a full disk', async () => {
  const store = await openOn(10 * megabyte, 'always');
  const [key = ''] = await fill(store);
  const outcomes = await Promise.allSettled([
    store.create('b', object('b', large)),
    store.update(key, removing),
    store.create('c', object('c', large)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
  expect(await store.get(key)).toBeUndefined();
  await store.close();
});

test('a store says that nothing more can be kept: on a full disk, one that is only read, and without its folder', async () => {
  const store = await openOn(10 * megabyte);
  await store.create('a', object('a'));
  disk.error = new Error('EROFS: read-only file system');
  await expect(store.checkWritable()).rejects.toThrow('EROFS');
  disk.error = undefined;
  await store.checkWritable();
  const keys = await fill(store);
  for (let n = 0; n < 200; n++) {
    await store.create(`s/${n}`, object(`${n}`, large.slice(0, 20_000))).catch(() => {});
  }
  await expect(store.checkWritable()).rejects.toThrow('no space');
  for (const key of keys) await store.update(key, removing);
  await vi.waitFor(() => store.create('b', object('b', large)), 5000);
  await vi.waitFor(() => store.checkWritable(), 5000);
  rmSync(disk.folder, { recursive: true });
  await expect(store.checkWritable()).rejects.toThrow('somebody removed or replaced it');
  await store.close().catch(() => {});
});

test.each([false, 'nothing'] as const)(
  'where nobody tells how much room is left, nothing is refused while there is some: %s',
  async (tells) => {
    disk.tells = tells;
    const store = await openOn(100 * megabyte, 'interval', megabyte);
    // Together they need more room than is ready while the state is written.
    for (let n = 0; n < 20; n++) await store.create(`k/${n}`, object(`${n}`, large));
    expect((await store.list('k/')).items).toHaveLength(20);
    await store.close();
  },
);
