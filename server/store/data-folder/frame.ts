import { crc32 } from 'node:zlib';
import type { Stored } from '../store.ts';
import type { Entry } from '../versions.ts';

/**
 * How a change stands in a file: a frame of the length of its content, the checksum of the length and that of the
 * content (4 bytes each, little endian), and the content: the revision (a double), the length of the key, the key, and the object as a line of JSON; the line of a
 * removal is empty. So content never ends in a zero byte, and a frame that does was not written to its end.
 */
export const frameHead = 12;
export const contentHead = 12;
const lineEnd = 0x0a;

export function frameOf({ key, revision, stored }: Entry): Buffer {
  const keyLength = Buffer.byteLength(key);
  const lineStart = frameHead + contentHead + keyLength;
  const frame = Buffer.allocUnsafe(lineStart + (stored?.line.length ?? 1));
  frame.writeDoubleLE(revision, frameHead);
  frame.writeUInt32LE(keyLength, frameHead + 8);
  frame.write(key, frameHead + contentHead);
  if (stored) stored.line.copy(frame, lineStart);
  else frame[lineStart] = lineEnd;
  const content = frame.subarray(frameHead);
  frame.writeUInt32LE(content.length, 0);
  frame.writeUInt32LE(crc32(frame.subarray(0, 4)), 4);
  frame.writeUInt32LE(crc32(content), 8);
  return frame;
}

/** Bytes of the frame of an object; text is ASCII, and not made bytes for this. */
export const frameSize = (stored: Stored): number =>
  frameHead + contentHead + Buffer.byteLength(stored.key) + (stored.text?.length ?? stored.line.length - 1) + 1;

/** Says that so many bytes of the file were safe when it was written: a removal without a key. */
export const markOf = (safe: number): Buffer => frameOf({ key: '', revision: safe, stored: undefined });

export const isMark = ({ key }: Entry): boolean => key === '';
