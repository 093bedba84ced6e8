import type { Timers } from '../base/timers.ts';
import type { Exchange } from './exchange.ts';

/** How long an answer may wait for its reader, in milliseconds: no request takes longer on a v1.25 server either. */
const patience = 60_000;

/** The exchanges that are not over. Answers that nobody reads are given up, with their connection or stream. */
export class OpenExchanges extends Set<Exchange> {
  readonly #timers: Timers;
  /** Those whose answer waited for its reader at the last look. */
  readonly #waited = new WeakSet<Exchange>();
  #begun = 0;
  #isSet = false;

  constructor(timers: Timers) {
    super();
    this.#timers = timers;
  }

  /** How many there were since the start. */
  get begun(): number {
    return this.#begun;
  }

  override add(exchange: Exchange): this {
    this.#begun++;
    if (!this.#isSet) this.#set();
    return super.add(exchange);
  }

  /** One timer for all of them: whose answer waited at the last two looks has had his time. */
  #set(): void {
    this.#isSet = true;
    this.#timers.after(patience, () => this.#look());
  }

  #look(): void {
    this.#isSet = false;
    for (const exchange of this) {
      if (!exchange.isAnswered) continue;
      if (this.#waited.has(exchange)) exchange.outgoing.destroy();
      else this.#waited.add(exchange);
    }
    if (this.size > 0) this.#set();
  }
}
