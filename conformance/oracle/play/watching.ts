import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

/** A stream that is read beside the other steps. */
export interface OpenStream {
  /** All bytes that came, once an end mark was seen, the stream ended, or nothing came for a while. */
  readonly gathered: (patience: Patience) => Promise<{ readonly bytes: Buffer; readonly ended: boolean }>;
}

/** How long to wait, in milliseconds. */
export interface Patience {
  /** Without any event, before a stream that has no end mark counts as told out. */
  readonly quiet: number;
  /** For the end mark. */
  readonly mark: number;
}

/** Whether events follow, in lines or over a WebSocket; all else is a whole answer. */
export const isStream = (status: number): boolean => status === 200 || status === 101;

const most = 4 * 1024 * 1024;
const settling = 25;

/** Reads a stream at once, so that nothing is lost, and keeps what came. `mark` is a text that ends it. */
export function readBeside(stream: Readable, mark: string | undefined, stop: () => void): OpenStream {
  const chunks: Buffer[] = [];
  let [size, over, marked, changed] = [0, false, false, performance.now()];
  let wake = (): void => {};
  const note = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
    changed = performance.now();
    marked ||= mark !== undefined && tail(chunks, chunk.length + mark.length).includes(mark);
    wake();
  };
  const end = (): void => {
    over = true;
    wake();
  };
  stream.on('data', note).on('end', end).on('error', end).on('close', end);

  /** When to stop listening. The event that holds the mark may come in several parts. */
  function until(asked: number, quiet: number, longest: number): number {
    if (mark === undefined) return Math.max(changed, asked) + quiet;
    return marked ? changed + settling : asked + longest;
  }

  async function gathered({ quiet, mark: longest }: Patience): Promise<{ bytes: Buffer; ended: boolean }> {
    const asked = performance.now();
    for (;;) {
      const left = until(asked, quiet, longest) - performance.now();
      if (over || left <= 0) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      // A busy process sees its timers before its sockets: let those speak first.
      await turn();
      await turn();
    }
    const ended = over;
    stop();
    return { bytes: Buffer.concat(chunks), ended };
  }
  return { gathered };
}

/** The last bytes as text, enough to find a mark that came in two parts. */
function tail(chunks: readonly Buffer[], length: number): string {
  const parts: Buffer[] = [];
  let size = 0;
  for (let at = chunks.length - 1; at >= 0 && size < length; at--) {
    parts.unshift(chunks[at] as Buffer);
    size += (chunks[at] as Buffer).length;
  }
  return Buffer.concat(parts).toString('latin1');
}
