import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fchmodSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../../make-folder.ts';

/**
 * Writes a file with exactly these permissions, whatever the process masks. It is there whole or, should the process end
 * on the way, as it was before. A link in its place is replaced and never followed: in a folder that others may write
 * to, it could lead anywhere.
 * @throws Error of the file system, with the file's own path
 */
function writeWholeFile(file: string, text: string, mode: number): void {
  makeFolder(dirname(file));
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const descriptor = openSync(draft, 'wx', mode);
    try {
      fchmodSync(descriptor, mode);
      // Not `writeSync`, which is content with what there is room for.
      writeFileSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  } catch (error) {
    if (existsSync(draft)) rmSync(draft);
    // It tells of the draft, which nobody knows.
    throw Object.assign(error as Error, { path: file });
  }
}

/** A file with a secret in it: readable by its owner alone, also when it was there before. See `writeWholeFile`. */
export const writeSecretFile = (file: string, text: string): void => writeWholeFile(file, text, 0o600);

/** A file that everybody may read. See `writeWholeFile`. */
export const writeOpenFile = (file: string, text: string): void => writeWholeFile(file, text, 0o644);
