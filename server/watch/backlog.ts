import type { VisibleChange } from './visible-change.ts';

/** A change in line for delivery. `bytes` is missing where they are only made when its turn comes. */
export interface Waiting extends VisibleChange {
  readonly bytes: Buffer | Promise<Buffer> | undefined;
}

/** How much may wait for one watcher before it counts as too slow. */
export interface BacklogLimits {
  readonly events: number;
  readonly bytes: number;
}

export const defaultLimits: BacklogLimits = { events: 20_000, bytes: 32 * 1024 * 1024 };

/** Entries are moved up only when so many before them are gone, so that taking one costs nothing. */
const tidyAfter = 1024;

/**
 * What a watcher is still to be told, in order: first what it starts with (existing objects, then history), which the
 * store holds anyway and which is not encoded before it is sent; then new changes, whose number and size are bounded.
 */
export class Backlog {
  #start: Iterator<VisibleChange> | undefined;
  #changes: Waiting[] = [];
  #taken = 0;
  /** Number and size of the encoded ones. */
  #events = 0;
  #bytes = 0;

  startWith(changes: Iterable<VisibleChange>): void {
    this.#start = changes[Symbol.iterator]();
  }

  add(change: Waiting): void {
    this.#changes.push(change);
    this.#account(change, 1);
  }

  take(): Waiting | undefined {
    const first = this.#start?.next();
    if (first && !first.done) return { ...first.value, bytes: undefined };
    this.#start = undefined;
    const next = this.#changes[this.#taken];
    if (!next) return undefined;
    this.#taken++;
    this.#account(next, -1);
    if (this.#taken >= tidyAfter || this.#taken === this.#changes.length) {
      this.#changes.splice(0, this.#taken);
      this.#taken = 0;
    }
    return next;
  }

  /** Changes in line; what is to come first of all is not counted. */
  get length(): number {
    return this.#changes.length - this.#taken;
  }

  exceeds({ events, bytes }: BacklogLimits): boolean {
    return this.#events > events || this.#bytes > bytes;
  }

  clear(): void {
    this.#start = undefined;
    this.#changes = [];
    this.#taken = 0;
    this.#events = 0;
    this.#bytes = 0;
  }

  #account({ bytes }: Waiting, sign: 1 | -1): void {
    if (bytes === undefined) return;
    this.#events += sign;
    if (bytes instanceof Buffer) this.#bytes += sign * bytes.length;
  }
}
