import type { Timers } from '../base/time/timers.ts';
import type { Exchange } from './exchange.ts';

/** How long an answer may wait for its reader, in milliseconds: no request takes longer on a v1.25 server either. */
const patience = 60_000;

/**
 * The exchanges that are not over. Answers that nobody reads are given up, with their connection or stream.
 *
 * They stand in a list and not in a Set: each table that a Set has outgrown leads to the next one, and so, once the first
 * has grown old, the young collector takes all requests that ever stood in them for alive.
 */
export class OpenExchanges {
  readonly #open: Exchange[] = [];
  readonly #timers: Timers;
  /** Those whose answer waited for its reader at the last look. */
  readonly #waited = new WeakSet<Exchange>();
  #begun = 0;
  #isSet = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** How many there were since the start. */
  get begun(): number {
    return this.#begun;
  }

  get size(): number {
    return this.#open.length;
  }

  add(exchange: Exchange): void {
    this.#begun++;
    if (!this.#isSet) this.#set();
    exchange.place = this.#open.push(exchange) - 1;
  }

  /** The last one takes the place of who goes. */
  delete(exchange: Exchange): void {
    const { place } = exchange;
    if (this.#open[place] !== exchange) return;
    const last = this.#open.pop() as Exchange;
    last.place = place;
    if (last !== exchange) this.#open[place] = last;
  }

  /** One timer for all of them: whose answer waited at the last two looks has had his time. */
  #set(): void {
    this.#isSet = true;
    this.#timers.after(patience, () => this.#look());
  }

  #look(): void {
    this.#isSet = false;
    for (const exchange of [...this.#open]) {
      if (!exchange.isAnswered) continue;
      if (this.#waited.has(exchange)) exchange.outgoing.destroy();
      else this.#waited.add(exchange);
    }
    if (this.size > 0) this.#set();
  }
}
