import type { Timers } from '../base/time/timers.ts';

/**
 * One at a time for each key, first come, first served. A turn that lasts longer than `patience` milliseconds lets the
 * next one start beside it, so that work which waits for another turn on its own key cannot block it for good.
 */
export class Turns {
  readonly #patience: number;
  readonly #timers: Timers;
  readonly #line = new Map<string, Promise<void>>();

  /** The keys that somebody has or awaits a turn for, and when the last one in line is over. */
  readonly line: ReadonlyMap<string, Promise<void>> = this.#line;

  constructor(patience: number, timers: Timers) {
    this.#patience = patience;
    this.#timers = timers;
  }

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#line.get(key);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    this.#line.set(key, over);
    await before;
    const cancel = this.#timers.after(this.#patience, end);
    try {
      return await work();
    } finally {
      cancel();
      end();
      if (this.#line.get(key) === over) this.#line.delete(key);
    }
  }
}
