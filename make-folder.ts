import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing. Not left to `recursive` of mkdir, which never returns where a file
 * system (such as /proc) refuses new entries as missing.
 * @param mode of each folder that is made; without it they are their owner's alone
 * @throws Error of the file system
 */
export function makeFolder(path: string, mode = 0o700): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  mkdirSync(path, { mode });
}
