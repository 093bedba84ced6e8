import type { Timers } from '../base/timers.ts';
import type { Exchange } from './exchange.ts';

/** How long an answer may wait for its reader, in milliseconds: no request takes longer on a v1.25 server either. */
const patience = 60_000;

/** Answers that were handed over and not read yet. Those that nobody reads are given up, with their connection or stream. */
export class UnreadAnswers {
  readonly #timers: Timers;
  readonly #waiting = new Map<Exchange, number>();
  #round = 0;
  #isSet = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get size(): number {
    return this.#waiting.size;
  }

  follow(exchange: Exchange): void {
    if (exchange.ending.isOver) return;
    this.#waiting.set(exchange, this.#round);
    exchange.ending.whenOver(() => this.#waiting.delete(exchange));
    this.#set();
  }

  /** One timer for all of them: who was there at the last two looks has had its time. */
  #set(): void {
    if (this.#isSet) return;
    this.#isSet = true;
    this.#timers.after(patience, () => this.#look());
  }

  #look(): void {
    this.#isSet = false;
    this.#round++;
    for (const [{ outgoing }, since] of this.#waiting) {
      if (since < this.#round - 1) outgoing.destroy();
    }
    if (this.#waiting.size > 0) this.#set();
  }
}
