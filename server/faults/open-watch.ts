import type { Outgoing } from '../request/exchange.ts';
import { cut } from './answers.ts';
import type { WatchFault } from './fault.ts';
import type { Asked } from './match.ts';

/** Bytes that are held back for a frozen watch; one with more is cut. */
const mostHeld = 16 * 1024 * 1024;

type Write = (chunk: Buffer) => boolean;

/** A watch whose stream can be meddled with. */
export class OpenWatch {
  readonly asked: Asked;
  readonly #outgoing: Outgoing;
  readonly #write: Write;
  readonly #end: () => void;
  #held: Buffer[] | undefined;
  #heldBytes = 0;
  #over = false;

  /** Takes the place of the stream's own `write` and `end`. */
  constructor(asked: Asked, outgoing: Outgoing, withoutBookmarks: boolean) {
    this.asked = asked;
    this.#outgoing = outgoing;
    const write = (outgoing.write as Write).bind(outgoing);
    const end = (outgoing.end as (chunk?: Buffer) => void).bind(outgoing);
    this.#write = withoutBookmarks ? (chunk) => writeRest(withoutBookmarkLines(chunk), write) : write;
    this.#end = end;
    Object.assign(outgoing, {
      write: (chunk: Buffer) => this.#take(chunk),
      end: (chunk?: Buffer) => {
        // The answer of a watch that was refused goes out whole.
        if (chunk) end(chunk);
        else this.#finish();
        return outgoing;
      },
    });
  }

  meet(fault: WatchFault['fault']): void {
    if (fault === 'endWatches') this.#finishNow();
    if (fault === 'cutWatches') this.#cut();
    if (fault === 'freezeWatches') this.#held ??= [];
    if (fault === 'thawWatches') this.#thaw();
  }

  #cut(): void {
    this.#over = true;
    cut(this.#outgoing);
  }

  #take(chunk: Buffer): boolean {
    if (this.#over) return true;
    if (!this.#held) return this.#write(chunk);
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes > mostHeld) this.#cut();
    return true;
  }

  #thaw(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#heldBytes = 0;
    for (const chunk of held) if (!this.#over) this.#write(chunk);
  }

  /** A frozen watch stays open even when the server would end it. */
  #finish(): void {
    if (!this.#held) this.#finishNow();
  }

  #finishNow(): void {
    if (this.#over) return;
    this.#held = undefined;
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

const writeRest = (chunk: Buffer, write: Write): boolean => chunk.length === 0 || write(chunk);
