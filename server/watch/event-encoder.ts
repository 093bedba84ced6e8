import type { Status } from '../base/status-error.ts';
import { encodeJson } from '../schema/encode.ts';
import type { Stored } from '../store/store.ts';
import type { ChangeType } from './visible-change.ts';

/** Bytes of one event with its framing; a promise where objects are converted by somebody else. */
export type EncodeChange = (type: ChangeType, stored: Stored) => Buffer | Promise<Buffer>;

/** How the events of a watch look. Watchers of one representation share one, so that each event is encoded once. */
export interface EventEncoder {
  readonly change: EncodeChange;
  /** For the first change of a stream, where that looks different (a Table shows its columns once). */
  readonly firstChange?: EncodeChange;
  bookmark(revision: number): Buffer;
  error(status: Status): Buffer;
}

/**
 * Remembers the last answer for each type. A change is handed to all watchers before the next one, so that is enough
 * for all of them to share it, and nothing is kept for long.
 */
export function shared(encode: EncodeChange): EncodeChange {
  const last = new Map<ChangeType, { readonly stored: Stored; readonly bytes: Buffer | Promise<Buffer> }>();
  return (type, stored) => {
    const known = last.get(type);
    if (known?.stored === stored) return known.bytes;
    const bytes = encode(type, stored);
    last.set(type, { stored, bytes });
    return bytes;
  };
}

const heads = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
};
const end = Buffer.from('}\n');

/** What is held as text stays so: bytes of its own would be kept beside it for as long as anybody may look back. */
function frame(type: ChangeType, stored: Stored): Buffer {
  const head = heads[type];
  const object = stored.text ?? stored.bytes;
  const line = Buffer.allocUnsafe(head.length + object.length + end.length);
  head.copy(line);
  if (typeof object === 'string') line.write(object, head.length, 'latin1');
  else object.copy(line, head.length);
  end.copy(line, head.length + object.length);
  return line;
}

const line = (event: object) => Buffer.from(`${encodeJson(event)}\n`);

/** Any event as a line of JSON. */
export const jsonLine = (type: string, object: object): Buffer => line({ type, object });

/**
 * Whole objects as lines of JSON, one a change: their stored bytes with a frame around. `view` gives an object in the
 * version that the watcher asked for; left out, objects are shown as stored.
 */
export function jsonEncoder(
  { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string },
  view?: (stored: Stored) => Stored | Promise<Stored>,
): EventEncoder {
  return {
    change: shared((type, stored) => {
      const seen = view ? view(stored) : stored;
      return seen instanceof Promise ? seen.then((shown) => frame(type, shown)) : frame(type, seen);
    }),
    bookmark: (revision) => jsonLine('BOOKMARK', bookmarkObject(kind, apiVersion, revision)),
    error: (status) => jsonLine('ERROR', status),
  };
}

/** An object of the watched kind that says nothing but a version. */
export const bookmarkObject = (kind: string, apiVersion: string, revision: number) => ({
  kind,
  apiVersion,
  metadata: { resourceVersion: String(revision), creationTimestamp: null },
});
