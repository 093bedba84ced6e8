import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolders } from '../../fixtures/temporary-folder.fixture.ts';
import { writeWhole } from './whole-file.ts';

const newFolder = temporaryFolders();

/** Writes such a file in a process whose files may have four kilobytes. @returns what went wrong */
function writeWithin4k(path: string, pieces: readonly string[]): string {
  const module = new URL('whole-file.ts', import.meta.url).href;
  const code = `const { writeWhole } = await import(${JSON.stringify(module)});
    await writeWhole(${JSON.stringify(path)}, ${JSON.stringify(pieces)}).catch((error) => console.log(error.code, error.path));`;
  const limited = ['-c', 'ulimit -f 8 && exec "$0" "$@"', process.execPath, '--input-type=module', '-e', code];
  return spawnSync('sh', limited, { encoding: 'utf8' }).stdout.trim();
}

describe('a file that is written whole', () => {
  it('has all its pieces', async () => {
    const path = join(newFolder(), 'file');
    await writeWhole(path, ['one ', Buffer.from('two '), 'x'.repeat(100_000)]);
    expect(readFileSync(path, 'utf8')).toBe(`one two ${'x'.repeat(100_000)}`);
  });

  it('leaves nothing where it cannot have its name', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'taken'));
    const path = join(folder, 'taken');
    await expect(writeWhole(path, ['secret'])).rejects.toMatchObject({ syscall: 'rename', path });
    expect(readdirSync(folder)).toEqual(['taken']);
  });

  it('is told by its own name, or by that of the folder that is not there', async () => {
    const folder = newFolder();
    const absent = writeWhole(join(folder, 'no', 'file'), []);
    await expect(absent).rejects.toMatchObject({ code: 'ENOENT', path: join(folder, 'no') });
    const mistake = new Error('of ours');
    const pieces = {
      [Symbol.iterator]: () => {
        throw mistake;
      },
    };
    await expect(writeWhole(join(folder, 'file'), pieces)).rejects.toBe(mistake);
    expect(mistake).not.toHaveProperty('path');
  });

  it('needs no more of a file than its descriptor to be safe: under Yarn’s PnP it has no sync of its own', async () => {
    const path = join(newFolder(), 'file');
    const handle = await open(path, 'w');
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(() => {
      throw new Error('Method not implemented.');
    });
    onTestFinished(() => sync.mockRestore());
    await handle.close();
    await writeWhole(path, ['text']);
    expect(readFileSync(path, 'utf8')).toBe('text');
  });

  it.skipIf(process.platform === 'win32')('is not there at all when there is room for a part of it only', () => {
    const folder = newFolder();
    expect(writeWithin4k(join(folder, 'small'), ['x'.repeat(3000)])).toBe('');
    for (const pieces of [['x'.repeat(5000)], ['x'.repeat(3000), 'y'.repeat(2000)]]) {
      expect(writeWithin4k(join(folder, 'large'), pieces)).toBe(`EFBIG ${join(folder, 'large')}`);
      expect(existsSync(join(folder, 'large'))).toBe(false);
    }
    expect(readdirSync(folder)).toEqual(['small']);
  });
});
