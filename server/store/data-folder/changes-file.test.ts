import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { ChangesFile } from './changes-file.ts';
import { TemporaryFolders } from './temporary-folders.fixture.ts';

const folders = new TemporaryFolders();
afterAll(() => folders.remove());

/** What is asked to be made safe, in turn: each ends when it is told to. */
const asked: ((error: Error | null) => void)[] = [];
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  fdatasync: (_fd: number, done: (error: Error | null) => void) => void asked.push(done),
}));

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('what a file holds is safe only when what came before it, in another, is', async () => {
  const folder = folders.make();
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
  const folder = folders.make();
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
