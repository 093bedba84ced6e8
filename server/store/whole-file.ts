import { open, rename, rm } from 'node:fs/promises';

/** What the name of a file ends with that is not complete yet. */
export const unfinished = '.new';

/**
 * Writes a file for its owner alone, piece by piece; what it says is secret. It has its name only once it is complete
 * and safe. @throws Error of the file system, or of whoever makes the pieces; nothing is left then
 */
export async function writeWhole(path: string, pieces: Iterable<Buffer | string>): Promise<void> {
  const begun = path + unfinished;
  const file = await open(begun, 'w', 0o600);
  try {
    // The types of `write` are one for each kind of piece.
    for (const piece of pieces) await (typeof piece === 'string' ? file.write(piece) : file.write(piece));
    await file.sync();
  } catch (error) {
    await rm(begun, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(begun, path);
}
