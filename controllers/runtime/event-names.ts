import { createHash } from 'node:crypto';

/** Nanoseconds of a millisecond that processes are spread over: the rest is for events of the same moment. */
const spread = 900_000;

/**
 * Names for events, which sort by the time at which they were told, as those of stock controllers do: lists are in the order of
 * names, and people read them from top to bottom. Those of one teller are in the order in which it told them.
 */
export class EventNames {
  readonly #offset: bigint;
  #last = 0n;

  /** @param teller who tells, and which of its processes: two of them may tell of one object in the same moment */
  constructor(teller: string) {
    this.#offset = BigInt(createHash('sha256').update(teller).digest().readUInt32BE() % spread);
  }

  /** @param about the name of the object @param now in milliseconds */
  next(about: string, now: number): string {
    const time = BigInt(now) * 1_000_000n + this.#offset;
    this.#last = time > this.#last ? time : this.#last + 1n;
    // No part of a name may end with a sign, as one that is cut may.
    return `${about.slice(0, 230).replace(/[-.]+$/, '')}.${this.#last.toString(16)}`;
  }
}
