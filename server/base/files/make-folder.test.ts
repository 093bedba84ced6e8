import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

describe('making a folder', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'make-folder-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('makes those above it too, for their owner alone, and is content with what is there', () => {
    const folder = join(root, 'a', 'b');
    makeFolder(folder);
    makeFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it.runIf(existsSync('/proc/self'))('fails where nothing can be made, and does not hang', () => {
    expect(() => makeFolder('/proc/nope/folder')).toThrow('ENOENT');
  });
});
