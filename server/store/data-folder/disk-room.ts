import { statfsSync } from 'node:fs';

/** Bytes that the disk has left for what is in a folder; undefined where the file system does not tell, as some of users' own. */
export function roomOnDisk(folder: string): number | undefined {
  try {
    const { blocks, bavail, bsize } = statfsSync(folder);
    return blocks > 0 ? bavail * bsize : undefined;
  } catch {
    return undefined;
  }
}
