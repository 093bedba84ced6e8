import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from './fixtures/temporary-folder.fixture.ts';
import { makeFolder } from './make-folder.ts';

const modeOf = (folder: string) => statSync(folder).mode & 0o777;

describe('making a folder', () => {
  it('makes those above it too, for their owner alone, and is content with what is there', () => {
    const folder = join(temporaryFolder(onTestFinished), 'a', 'b');
    makeFolder(folder);
    makeFolder(folder);
    expect([folder, dirname(folder)].map(modeOf)).toEqual([0o700, 0o700]);
  });

  it('lets others in where it is told to, as far as the process lets anybody', () => {
    const folder = join(temporaryFolder(onTestFinished), 'a', 'b');
    makeFolder(folder, 0o777);
    expect([folder, dirname(folder)].map(modeOf)).toEqual([0o777 & ~process.umask(), 0o777 & ~process.umask()]);
  });

  it.runIf(existsSync('/proc/self'))('fails where nothing can be made, and does not hang', () => {
    expect(() => makeFolder('/proc/nope/folder')).toThrow('ENOENT');
  });
});
