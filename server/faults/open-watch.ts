import type { Timers } from '../base/time/timers.ts';
import type { Outgoing } from '../request/exchange.ts';
import { cut, halfClose } from './answers.ts';
import type { WatchFault } from './fault.ts';
import type { Asked } from './match.ts';

/** Bytes that are held back for a frozen watch; one with more is cut. */
const mostHeld = 16 * 1024 * 1024;

type Write = (chunk: Buffer) => boolean;

/** A watch whose stream can be meddled with. */
export class OpenWatch {
  readonly asked: Asked;
  readonly #outgoing: Outgoing;
  readonly #timers: Timers;
  readonly #write: Write;
  readonly #end: () => void;
  /** Whether bookmarks are left out, of JSON. */
  withholdsBookmarks = false;
  /** Milliseconds by which changes come later. */
  #lag = 0;
  #frozen = false;
  /** What is yet to go out, in its order; the last may be the end. */
  #held: (Buffer | 'end')[] = [];
  #heldBytes = 0;
  #over = false;

  /** Takes the place of the stream's own `write` and `end`. */
  constructor(asked: Asked, outgoing: Outgoing, timers: Timers) {
    this.asked = asked;
    this.#outgoing = outgoing;
    this.#timers = timers;
    this.#write = (outgoing.write as Write).bind(outgoing);
    const end = (outgoing.end as (chunk?: Buffer) => void).bind(outgoing);
    this.#end = end;
    Object.assign(outgoing, {
      write: (chunk: Buffer) => this.#take(this.withholdsBookmarks ? withoutBookmarkLines(chunk) : chunk),
      end: (chunk?: Buffer) => {
        // The answer of a watch that was refused goes out whole.
        if (chunk) end(chunk);
        else this.#finish();
        return outgoing;
      },
    });
    // What is held back has not been taken either.
    const plain = Object.getPrototypeOf(outgoing) as Outgoing;
    const sent = () => Reflect.get(plain, 'writableLength', outgoing) as number;
    Object.defineProperty(outgoing, 'writableLength', { get: () => sent() + this.#heldBytes });
  }

  meet(fault: Exclude<WatchFault['fault'], 'lagWatches' | 'sendBookmarks'>): void {
    if (fault === 'endWatches') this.#finishNow();
    if (fault === 'cutWatches') this.#leave(cut);
    if (fault === 'halfCloseWatches') this.#leave(halfClose);
    if (fault === 'freezeWatches') this.#frozen = true;
    if (fault === 'thawWatches') this.#thaw();
  }

  /** Told once the stream is over, however that came. */
  onClose(closed: () => void): void {
    this.#outgoing.once('close', closed);
  }

  lag(milliseconds: number): void {
    this.#lag = milliseconds;
  }

  #leave(by: (outgoing: Outgoing) => void): void {
    this.#over = true;
    this.#held = [];
    by(this.#outgoing);
  }

  #take(chunk: Buffer): boolean {
    if (this.#over || chunk.length === 0) return true;
    if (!this.#holds) return this.#write(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes > mostHeld) this.#leave(cut);
    else this.#hold(chunk);
    return true;
  }

  /** What comes after something that is held back waits too. */
  get #holds(): boolean {
    return this.#frozen || this.#lag > 0 || this.#held.length > 0;
  }

  #hold(part: Buffer | 'end'): void {
    this.#held.push(part);
    if (this.#lag > 0) this.#timers.after(this.#lag, () => this.#frozen || this.#release());
  }

  #release(): void {
    const part = this.#held.shift();
    if (part === undefined || this.#over) return;
    if (part === 'end') this.#finishNow();
    else {
      this.#heldBytes -= part.length;
      this.#write(part);
    }
  }

  #thaw(): void {
    this.#frozen = false;
    this.#lag = 0;
    while (this.#held.length > 0) this.#release();
  }

  /** A frozen watch stays open even when the server would end it. */
  #finish(): void {
    if (this.#holds) this.#hold('end');
    else this.#finishNow();
  }

  #finishNow(): void {
    if (this.#over) return;
    this.#held = [];
    this.#over = true;
    this.#end();
  }
}

const bookmark = '{"type":"BOOKMARK"';

function withoutBookmarkLines(chunk: Buffer): Buffer {
  const text = chunk.toString();
  if (!text.includes(bookmark)) return chunk;
  const lines = text.split('\n').filter((line) => !line.startsWith(bookmark));
  return Buffer.from(lines.join('\n'));
}
