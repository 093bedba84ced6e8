import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing, for their owner alone. Not left to `recursive` of mkdir, which
 * never returns where a file system (such as /proc) refuses new entries as missing.
 * @throws Error of the file system
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
