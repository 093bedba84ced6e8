import type { Cancel, Timers } from './timers.ts';

interface Entry {
  at: number;
  readonly every: number | undefined;
  readonly callback: () => void;
}

/** Timers for tests: time passes only when `advance` says so, and callbacks run in the order they are due. */
export class ManualTimers implements Timers {
  now = 0;
  readonly #entries = new Set<Entry>();

  after(milliseconds: number, callback: () => void): Cancel {
    return this.#add({ at: this.now + milliseconds, every: undefined, callback });
  }

  every(milliseconds: number, callback: () => void): Cancel {
    return this.#add({ at: this.now + milliseconds, every: milliseconds, callback });
  }

  soon(callback: () => void): Cancel {
    return this.after(0, callback);
  }

  /** How many callbacks are still to come. */
  get waiting(): number {
    return this.#entries.size;
  }

  /** Lets so much time pass; 0 runs only what is due now. */
  advance(milliseconds = 0): void {
    const until = this.now + milliseconds;
    for (let next = this.#due(until); next; next = this.#due(until)) {
      this.now = Math.max(this.now, next.at);
      if (next.every === undefined) this.#entries.delete(next);
      else next.at += Math.max(1, next.every);
      next.callback();
    }
    this.now = until;
  }

  #due(until: number): Entry | undefined {
    let first: Entry | undefined;
    for (const entry of this.#entries) if (entry.at <= until && (!first || entry.at < first.at)) first = entry;
    return first;
  }

  #add(entry: Entry): Cancel {
    this.#entries.add(entry);
    return () => this.#entries.delete(entry);
  }
}
