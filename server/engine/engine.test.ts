import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { withDefaults } from '../options/options.ts';
import { openEngine } from './engine.ts';

const folder = temporaryFolder();

/** What was made safe before it had its name; beside it the folder makes room for changes, in files opened otherwise. */
const safe: string[] = [];
const paths = new Map<number, string>();
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  const open: typeof fs.open = async (path, ...how) => {
    const file = await fs.open(path, ...how);
    paths.set(file.fd, String(path));
    return file;
  };
  return { ...fs, open };
});
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const fsync = ((fd, done) =>
    fs.fsync(fd, (error) => {
      const path = paths.get(fd);
      if (path && !existsSync(join(folder, 'identity'))) safe.push(path);
      done(error);
    })) as typeof fs.fsync;
  return { ...fs, fsync };
});

test('who a server is survives the loss of power as what it was told does', async () => {
  const engine = await openEngine(withDefaults({ dataDir: folder }));
  expect(safe).toEqual([join(folder, 'identity.new')]);
  await engine.close();
  const again = await openEngine(withDefaults({ dataDir: folder }));
  expect(again.identity).toEqual(engine.identity);
  await again.close();
});
