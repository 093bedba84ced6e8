import { crc32 } from 'node:zlib';
import { frameHead, markOf } from './frame.ts';

/**
 * What the loss of power leaves of changes that nobody was told of yet: each sector of them is as it was written, or as
 * before, which is zeros; any may be missing. To tell that from a file that was damaged later, what follows something
 * that was made safe begins with a mark that says up to which byte: whatever lacks before that byte was there once.
 */
const sector = 512;

/** All marks begin alike: their lengths are the same. */
const markLength = markOf(0).length;
const markBegin = markOf(0).subarray(0, 8);

/** Whether what should stand from `at` to `end` was not written whole, and was never said to be safe. */
export const isTorn = (bytes: Buffer, at: number, end: number): boolean =>
  lacksSector(bytes, at, end) && !wasSafe(bytes, at);

function lacksSector(bytes: Buffer, at: number, end: number): boolean {
  for (let from = at; from < end; ) {
    const to = Math.min(end, from - (from % sector) + sector);
    if (bytes.subarray(from, to).every((byte) => byte === 0)) return true;
    from = to;
  }
  return false;
}

function wasSafe(bytes: Buffer, at: number): boolean {
  for (let mark = bytes.indexOf(markBegin, at); mark >= 0; mark = bytes.indexOf(markBegin, mark + 1)) {
    if (mark + markLength > bytes.length) return false;
    const content = bytes.subarray(mark + frameHead, mark + markLength);
    if (crc32(content) === bytes.readUInt32LE(mark + 8) && content.readDoubleLE(0) > at) return true;
  }
  return false;
}
