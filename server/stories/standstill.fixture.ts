import { afterAll } from 'vitest';

/** Milliseconds of processor time in one turn: 100 are promised on a machine that has time, and tests run on others. */
export const longestTurn = 200;

/** A watch that ends when the tests of the file have run. */
export function watchStandstill(): StandstillWatch {
  const watch = new StandstillWatch();
  afterAll(() => watch.stop());
  return watch;
}

/**
 * Watches how long the event loop stands still, in milliseconds of this thread's own processor time: what other
 * processes of a busy machine take does not count.
 */
class StandstillWatch {
  #longest = 0;
  #last = this.#now();
  #stopped = false;

  constructor() {
    this.#turn();
  }

  /** The longest turn since the start or the last call. */
  take(): number {
    this.#note();
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  stop(): void {
    this.#stopped = true;
  }

  #now(): number {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  }

  #note(): void {
    const now = this.#now();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }

  #turn(): void {
    if (this.#stopped) return;
    this.#note();
    setImmediate(() => this.#turn());
  }
}
