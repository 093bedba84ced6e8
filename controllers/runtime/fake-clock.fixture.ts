import type { Cancel, Clock } from './clock.ts';

/** A clock for tests: time passes only when `advance` says so, and callbacks run in the order they are due. */
export class FakeClock implements Clock {
  #now: number;
  readonly #waiting = new Set<{ readonly at: number; readonly callback: () => void }>();

  constructor(start = Date.UTC(2024, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): Cancel {
    const entry = { at: this.#now + Math.max(0, milliseconds), callback };
    this.#waiting.add(entry);
    return () => this.#waiting.delete(entry);
  }

  /** Milliseconds until the next callback; undefined when none is waiting. */
  get next(): number | undefined {
    const times = [...this.#waiting].map(({ at }) => at - this.#now);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** Lets so much time pass; 0 runs only what is due now. */
  advance(milliseconds = 0): void {
    const until = this.#now + milliseconds;
    for (let next = this.#due(until); next; next = this.#due(until)) {
      this.#now = Math.max(this.#now, next.at);
      this.#waiting.delete(next);
      next.callback();
    }
    this.#now = until;
  }

  #due(until: number) {
    let first: { readonly at: number; readonly callback: () => void } | undefined;
    for (const entry of this.#waiting) if (entry.at <= until && (!first || entry.at < first.at)) first = entry;
    return first;
  }
}
