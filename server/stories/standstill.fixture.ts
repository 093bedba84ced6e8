/**
 * Watches how long the event loop stands still, in milliseconds of this thread's own processor time: what other
 * processes of a busy machine take does not count.
 */
export class StandstillWatch {
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
