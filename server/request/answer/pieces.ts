import { clearTimeout, setTimeout } from 'node:timers';
import { letOthers } from '../../base/turns/loop-turn.ts';
import type { Exchange } from '../exchange.ts';

/** A part of a body that is made while it is sent. */
export interface Piece {
  readonly bytes: Buffer;
  /** Called once nobody reads `bytes` any more. */
  readonly sent?: () => void;
}

export type Pieces = Iterable<Piece> | AsyncIterable<Piece>;

export function iterate(pieces: Pieces): AsyncIterator<Piece> | Iterator<Piece> {
  return Symbol.iterator in pieces ? pieces[Symbol.iterator]() : pieces[Symbol.asyncIterator]();
}

/** Some pieces that were taken already, and then the rest. */
export async function* chain(taken: Piece[], rest: AsyncIterator<Piece> | Iterator<Piece>): AsyncGenerator<Piece> {
  for (let next = taken.shift(); next; next = taken.shift()) yield next;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** How long a reader may take no bytes at all before it counts as gone, in milliseconds. */
const stall = 60_000;

/** Where pieces go: the response itself, or what compresses for it. */
interface Target {
  write(bytes: Buffer, sent: () => void): boolean;
  once(event: 'drain', drained: () => void): unknown;
  end(): unknown;
}

/**
 * Sends pieces no faster than they are read, and lets others have their turn between two of them. Resolves when all were
 * handed over, or nobody reads any more.
 * @throws what making a piece throws
 */
export async function sendPieces({ ending, outgoing }: Exchange, pieces: Pieces, target: Target): Promise<void> {
  const reader = new Reader();
  ending.whenOver(() => reader.leave());
  for await (const { bytes, sent } of pieces) {
    if (reader.isGone) return;
    const taken = target.write(bytes, () => sent?.());
    await (taken ? letOthers() : reader.drained(target, () => outgoing.destroy()));
  }
  if (!reader.isGone) target.end();
}

class Reader {
  isGone = false;
  #goOn = () => {};

  leave(): void {
    this.isGone = true;
    this.#goOn();
  }

  drained(target: Target, giveUp: () => void): Promise<void> {
    if (this.isGone) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        giveUp();
        this.leave();
      }, stall).unref();
      this.#goOn = () => {
        clearTimeout(timer);
        resolve();
      };
      target.once('drain', () => this.#goOn());
    });
  }
}
