import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../fixtures/temporary-folder.fixture.ts';
import { makeFolder } from './make-folder.ts';

it('makes a folder with those above it, and leaves one that is there', () => {
  const folder = join(temporaryFolder(onTestFinished), 'one', 'two');
  makeFolder(folder);
  makeFolder(folder);
  expect(existsSync(folder)).toBe(true);
});

it.runIf(existsSync('/proc/self'))('ends where a file system refuses what is new', () => {
  expect(() => makeFolder('/proc/nope/folder')).toThrow('ENOENT');
});
