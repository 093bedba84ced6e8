import { crc32 } from 'node:zlib';
import { StoredValue } from '../stored-value.ts';
import type { Entry } from '../versions.ts';
import { contentHead, frameHead, isMark } from './frame.ts';
import { isTorn } from './torn.ts';

/** A file is not as it was written. The message says where and how. */
export class DamagedFileError extends Error {
  constructor(file: string, position: number, what: string) {
    super(`${file} is damaged at byte ${position}: ${what}. It was left as it is.`);
  }
}

/** What files of a format begin with: its name, and its version at the end of a line. @throws DamagedFileError */
export function expectHeading(bytes: Buffer, heading: Buffer, file: string): void {
  if (bytes.subarray(0, heading.length).equals(heading)) return;
  const [name, version] = bytes.toString('latin1', 0, heading.length + 3).split(/ (\d+)\n/, 2);
  const isOther = version && heading.toString().startsWith(`${name} `);
  const what = isOther ? `format ${version} is of another version of touchstone` : 'it is no such file';
  throw new DamagedFileError(file, 0, what);
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
 * before it is written to. What was not written whole at the end is passed over: nobody was told that it is kept.
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
    if (!isMark(read.entry)) {
      if (order === 'rising' && read.entry.revision < revision)
        throw new DamagedFileError(file, at, 'its revisions fall');
      yield read.entry;
      ({ revision } = read.entry);
    }
    at = read.end;
  }
  if (at >= bytes.length) throw new DamagedFileError(file, bytes.length, 'its end is missing');
  return at;
}

/** Undefined when it was not written whole. */
function frameAt(bytes: Buffer, at: number, written: number, file: string): Read | undefined {
  const contentAt = at + frameHead;
  if (contentAt >= bytes.length) throw new DamagedFileError(file, at, 'the file ends within a change');
  if (crc32(bytes.subarray(at, at + 4)) !== bytes.readUInt32LE(at + 4)) {
    if (written < contentAt || isTorn(bytes, at, contentAt)) return undefined;
    throw new DamagedFileError(file, at, 'the length of a change is wrong');
  }
  const end = contentAt + bytes.readUInt32LE(at);
  if (end >= bytes.length) throw new DamagedFileError(file, at, 'the file ends within a change');
  if (written < end) return undefined;
  const content = bytes.subarray(contentAt, end);
  if (content.length < contentHead || crc32(content) !== bytes.readUInt32LE(at + 8)) {
    if (isTorn(bytes, at, end)) return undefined;
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
