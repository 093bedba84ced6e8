import { clearInterval, setInterval } from 'node:timers';

/** What has to be ended when a server stops, last begun first. A start that fails half-way is undone by the same list. */
export class Closers {
  readonly #closers: (() => unknown)[] = [];
  #closing: Promise<void> | undefined;

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Ends everything; what fails does not keep the rest from ending. Further calls wait for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    // What is waited for may be a timer that keeps no process alive, and who stops a server may do nothing else.
    const awake = setInterval(() => {}, 1000);
    for (const close of this.#closers.toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    clearInterval(awake);
    if (failures.length > 0) throw failures[0];
  }
}
