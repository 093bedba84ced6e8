import { copyFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as settled } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { temporaryFolders } from '../../../fixtures/temporary-folder.fixture.ts';
import { object } from '../store.fixture.ts';
import { StoredValue } from '../stored-value.ts';
import { ChangesFile } from './changes-file.ts';
import { frameOf } from './frame.ts';

const newFolder = temporaryFolders();

/** What is asked to be made safe, in turn: each ends when it is told to. */
const asked: ((error: Error | null) => void)[] = [];
/** What was done with files as a whole. */
const done: string[] = [];
/** So many bytes of the next writes have room; undefined: all. */
let room: number | undefined;

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const writeSync = (fd: number, bytes: Buffer, from: number, length: number, at: number): number => {
    if (room === 0) throw new Error('ENOSPC');
    const written = fs.writeSync(fd, bytes, from, Math.min(length, room ?? length), at);
    if (room !== undefined) room -= written;
    return written;
  };
  const fsyncSync = (fd: number) => {
    fs.fsyncSync(fd);
    done.push('made safe');
  };
  const renameSync = (from: string, to: string) => {
    fs.renameSync(from, to);
    done.push('named');
  };
  return {
    ...fs,
    writeSync,
    fsyncSync,
    renameSync,
    fdatasync: (_fd: number, done: (error: Error | null) => void) => void asked.push(done),
  };
});

const frame = (key: string, text: string, revision: number) =>
  frameOf({ key, revision, stored: new StoredValue(key, revision, object('x', text)) });

test('a file has its name once what it begins with is safe', () => {
  ChangesFile.create(join(newFolder(), 'file')).close();
  expect(done).toEqual(['made safe', 'named']);
});

test('what a file holds is safe only when what came before it, in another, is', async () => {
  const folder = newFolder();
  const [first, second] = ['first', 'second'].map((name) => ChangesFile.create(join(folder, name))) as [
    ChangesFile,
    ChangesFile,
  ];
  const safe: string[] = [];
  void first.handOver(second).then(() => safe.push('first'));
  void second.sync().then(() => safe.push('second'));
  await settled();
  expect(asked.length).toBe(1);
  asked.shift()?.(null);
  await settled();
  expect([safe, asked.length]).toEqual([['first'], 1]);
  asked.shift()?.(null);
  await settled();
  expect(safe).toEqual(['first', 'second']);
  second.close();
});

test('nothing is safe any more after what could not be made safe', async () => {
  const folder = newFolder();
  const [first, second] = ['third', 'fourth'].map((name) => ChangesFile.create(join(folder, name))) as [
    ChangesFile,
    ChangesFile,
  ];
  const handed = first.handOver(second);
  const synced = second.sync();
  asked.shift()?.(new Error('EIO'));
  await expect(handed).rejects.toThrow('EIO');
  await expect(synced).rejects.toThrow('EIO');
  await expect(second.sync()).rejects.toThrow('EIO');
  second.close();
});

test('a file that there is no room for is told by its name', () => {
  const path = join(newFolder(), 'file');
  room = 0;
  expect(() => ChangesFile.create(path)).toThrow(expect.objectContaining({ message: 'ENOSPC', path }));
  room = undefined;
});

test('room that was given to others while it was made safe is not taken for there', async () => {
  const file = ChangesFile.create(join(newFolder(), 'file'));
  const taking = file.takeReserve(1.5 * 1024 * 1024);
  file.giveRoom();
  file.append([frame('a', 'x', 2)]);
  await taking;
  file.append([frame('b', 'x', 3)]);
  file.close();
});

test('of a change that was written in part nothing is left beside a shorter one in its place', () => {
  const path = join(newFolder(), 'file');
  const file = ChangesFile.create(path);
  file.append([frame('first', 'a', 2)]);
  room = 400;
  expect(() => file.append([frame('lost', 'b'.repeat(500), 3)])).toThrow('ENOSPC');
  expect(() => file.append([frame('lost', 'b', 3)])).toThrow('ENOSPC');
  room = undefined;
  file.append([frame('second', 'c', 3)]);
  file.close();
  const { file: again, changes } = ChangesFile.resume(path);
  again.close();
  expect(changes.map(({ key }) => key)).toEqual(['first', 'second']);
});

test.each([
  ['removed', (path: string) => rmSync(path)],
  ['replaced by a shorter one', (path: string) => truncateSync(path, 100)],
  ['moved', (path: string) => renameSync(path, `${path}-elsewhere`)],
  [
    'moved, and has a copy in its place',
    (path: string) => {
      renameSync(path, `${path}-elsewhere`);
      copyFileSync(`${path}-elsewhere`, path);
    },
  ],
])('a file that was %s under its server takes no change, since nobody would find it again', (_, harm) => {
  const path = join(newFolder(), 'file');
  const file = ChangesFile.create(path);
  file.append([frame('first', 'a', 2)]);
  harm(path);
  expect(() => file.append([frame('second', 'b', 3)])).toThrow(`${path}: somebody removed or replaced it`);
  file.close();
});

test('a file that comes back to its place takes changes again', () => {
  const path = join(newFolder(), 'file');
  ChangesFile.create(path).close();
  const { file } = ChangesFile.resume(path);
  renameSync(path, `${path}-elsewhere`);
  expect(() => file.append([frame('lost', 'a', 2)])).toThrow('somebody removed or replaced it');
  renameSync(`${path}-elsewhere`, path);
  file.append([frame('first', 'a', 2)]);
  file.close();
  const { file: again, changes } = ChangesFile.resume(path);
  again.close();
  expect(changes.map(({ key }) => key)).toEqual(['first']);
});
