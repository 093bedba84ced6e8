import type { Clock } from '../time/clock.ts';

interface Entry<V> {
  readonly value: V;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Remembers values for a while. Holds at most `capacity` of them: when it is full the one written longest ago goes,
 * so nobody who sends ever new keys can make it grow.
 */
export class ExpiringCache<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #capacity: number;
  readonly #clock: Clock;
  constructor(capacity: number, clock: Clock) {
    this.#capacity = capacity;
    this.#clock = clock;
  }
  get size(): number {
    return this.#entries.size;
  }
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.until > this.#clock.now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }
  /** Keeps `value` for `milliseconds`; zero or less keeps nothing. */
  set(key: string, value: V, milliseconds: number): void {
    this.#entries.delete(key);
    if (milliseconds <= 0) return;
    if (this.#entries.size >= this.#capacity) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    this.#entries.set(key, { value, until: this.#clock.now() + milliseconds });
  }
}
