import { closeSync, fsync, fsyncSync, openSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const sync = promisify(fsync);

/** What the name of a file ends with that is not complete yet. */
export const unfinished = '.new';

/**
 * Writes a file for its owner alone, piece by piece; what it says is secret. It has its name only once it is complete
 * and safe. @throws Error of the file system, with this path (or that of a folder that is not there), or of whoever makes the
 * pieces; nothing is left then
 */
export async function writeWhole(path: string, pieces: Iterable<Buffer | string>): Promise<void> {
  const begun = path + unfinished;
  const file = await open(begun, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw Object.assign(error, { path: error.code === 'ENOENT' ? dirname(path) : path });
  });
  try {
    await fill(file, pieces).finally(() => file.close());
    await rename(begun, path);
  } catch (error) {
    await rm(begun, { force: true });
    // Of a full disk it tells without the file, and of others by a name that nobody knows.
    throw isOfFiles(error) ? Object.assign(error, { path }) : error;
  }
}

const isOfFiles = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';

async function fill(file: FileHandle, pieces: Iterable<Buffer | string>): Promise<void> {
  // Not `write`, which is content with what there is room for.
  for (const piece of pieces) await file.appendFile(piece);
  // Not `file.sync`, in whose place package managers that read packages from archives put one that only throws.
  await sync(file.fd);
}

/** Names of files are as safe as the files only after this. @throws Error of the file system */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
