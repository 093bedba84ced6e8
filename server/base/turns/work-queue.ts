import type { Cancel, Timers } from '../time/timers.ts';

const firstDelay = 100;
const longestDelay = 30_000;

/**
 * Does one step for each key that was added, one key at a time and each key once however often it was added. A step
 * that fails is tried again after a growing delay.
 */
export class WorkQueue {
  readonly #work: (key: string) => Promise<void>;
  readonly #report: (error: unknown) => void;
  readonly #keys = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers: Timers;
  readonly #retries = new Set<Cancel>();
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(work: (key: string) => Promise<void>, timers: Timers, report: (error: unknown) => void) {
    this.#timers = timers;
    this.#work = work;
    this.#report = report;
  }

  add(key: string): void {
    if (this.#stopped) return;
    this.#keys.add(key);
    this.#running ??= this.#run();
  }

  /** Resolves when nothing is left to do but retries. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Ends the retries and waits for the step at hand. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#keys.clear();
    for (const cancel of this.#retries) cancel();
    await this.idle();
  }

  async #run(): Promise<void> {
    // Whoever adds a key goes on first: a step never runs inside the change that asked for it.
    await Promise.resolve();
    for (let next = this.#keys.values().next(); !next.done; next = this.#keys.values().next()) {
      this.#keys.delete(next.value);
      await this.#step(next.value);
    }
    this.#running = undefined;
  }

  async #step(key: string): Promise<void> {
    try {
      await this.#work(key);
      this.#failures.delete(key);
    } catch (error) {
      this.#report(error);
      if (!this.#stopped) this.#retry(key);
    }
  }

  #retry(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const cancel = this.#timers.after(Math.min(firstDelay * 2 ** failures, longestDelay), () => {
      this.#retries.delete(cancel);
      this.add(key);
    });
    this.#retries.add(cancel);
  }
}
