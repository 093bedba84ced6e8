import { readFileSync } from 'node:fs';
import type { Stored } from '../store.ts';
import type { State } from '../versions.ts';
import { writeWhole } from '../whole-file.ts';
import { frameOf } from './frame.ts';
import { DamagedFileError, expectHeading, framesIn } from './frames.ts';

const heading = Buffer.from('touchstone state 1\n');
/** Bytes that are put together before they are written. */
const slice = 256 * 1024;

/** Writes all that exists at a revision: a frame each, and at last a removal whose key says how many they are. */
export const writeState = (path: string, { revision, items }: State): Promise<void> =>
  writeWhole(path, slices(revision, items));

function* slices(revision: number, items: Iterable<Stored>): Generator<Buffer> {
  let part: Buffer[] = [heading];
  let size = 0;
  let count = 0;
  for (const stored of items) {
    const frame = frameOf({ key: stored.key, revision: stored.revision, stored });
    part.push(frame);
    size += frame.length;
    count++;
    if (size < slice) continue;
    yield Buffer.concat(part);
    part = [];
    size = 0;
  }
  part.push(frameOf({ key: String(count), revision, stored: undefined }), Buffer.alloc(1));
  yield Buffer.concat(part);
}

/** @throws DamagedFileError */
export function readState(path: string): State {
  const bytes = readFileSync(path);
  expectHeading(bytes, heading, path);
  const items: Stored[] = [];
  const frames = framesIn(bytes, heading.length, path, 'any');
  for (let next = frames.next(); !next.done; next = frames.next()) {
    const { stored, key, revision } = next.value;
    if (stored) items.push(stored);
    else if (key === String(items.length)) return { revision, items };
    else break;
  }
  throw new DamagedFileError(path, bytes.length, 'its end is missing');
}
