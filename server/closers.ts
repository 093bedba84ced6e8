import { awake } from './awake.ts';

/** What has to be ended when a server stops, last begun first. A start that fails half-way is undone by the same list. */
export class Closers {
  readonly #closers: (() => unknown)[] = [];
  #closing: Promise<void> | undefined;

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Ends everything; what fails does not keep the rest from ending. Further calls wait for the first. */
  close(): Promise<void> {
    this.#closing ??= awake(() => this.#closeAll());
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closers.toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
