import { crc32 } from 'node:zlib';
import { StoredValue } from '../stored-value.ts';
import type { Entry } from '../versions.ts';

/**
 * How changes stand in a file: each is a frame of the length of its content, the checksum of the length and that of the
 * content (4 bytes each, little endian), and the content: the revision (a double), the length of the key, the key, and the object as a line of JSON; the line of a
 * removal is empty. So content never ends in a zero byte, and a frame that does was not written to its end.
 */
const frameHead = 12;
const contentHead = 12;
const lineEnd = 0x0a;

/** A file is not as it was written. The message says where and how. */
export class DamagedFileError extends Error {
  constructor(file: string, position: number, what: string) {
    super(`${file} is damaged at byte ${position}: ${what}. It was left as it is.`);
  }
}

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

/** A frame and where the next one begins. */
interface Read {
  readonly entry: Entry;
  readonly end: number;
}

/** Where the zeros begin that a file ends with. */
function endOfWriting(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return end;
}

/**
 * The frames of a file from a position on. After the last one there are only zeros, at least one: room that is taken
 * before it is written to. A last frame that was not written to its end is passed over: nobody was told that it is kept.
 * @returns where the next frame is to be written
 * @throws DamagedFileError
 */
export function* framesIn(
  bytes: Buffer,
  from: number,
  file: string,
  order: 'rising' | 'any' = 'rising',
): Generator<Entry, number> {
  const written = endOfWriting(bytes);
  let at = from;
  for (let revision = 0; at < written; ) {
    const read = frameAt(bytes, at, written, file);
    if (!read) return at;
    if (order === 'rising' && read.entry.revision < revision)
      throw new DamagedFileError(file, at, 'its revisions fall');
    yield read.entry;
    ({ revision } = read.entry);
    at = read.end;
  }
  if (at >= bytes.length) throw new DamagedFileError(file, bytes.length, 'its end is missing');
  return at;
}

/** Undefined when it was not written to its end. */
function frameAt(bytes: Buffer, at: number, written: number, file: string): Read | undefined {
  const contentAt = at + frameHead;
  if (contentAt >= bytes.length) throw new DamagedFileError(file, at, 'the file ends within a change');
  if (crc32(bytes.subarray(at, at + 4)) !== bytes.readUInt32LE(at + 4)) {
    if (written < contentAt) return undefined;
    throw new DamagedFileError(file, at, 'the length of a change is wrong');
  }
  const end = contentAt + bytes.readUInt32LE(at);
  if (end >= bytes.length) throw new DamagedFileError(file, at, 'the file ends within a change');
  if (written < end) return undefined;
  const content = bytes.subarray(contentAt, end);
  if (content.length < contentHead || crc32(content) !== bytes.readUInt32LE(at + 8)) {
    throw new DamagedFileError(file, at, 'the checksum of a change is wrong');
  }
  return { entry: entryOf(content), end };
}

function entryOf(content: Buffer): Entry {
  const revision = content.readDoubleLE(0);
  const lineStart = contentHead + content.readUInt32LE(8);
  const key = content.toString('utf8', contentHead, lineStart);
  const line = content.subarray(lineStart);
  if (line.length === 1) return { key, revision, stored: undefined };
  const own = Buffer.allocUnsafeSlow(line.length);
  line.copy(own);
  return { key, revision, stored: StoredValue.ofLine(key, revision, own) };
}
