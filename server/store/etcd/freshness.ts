import type { Timers } from '../../base/timers.ts';
import { UnavailableError } from '../store.ts';

interface Waiter {
  readonly revision: number;
  readonly resolve: () => void;
}

/** Milliseconds that somebody waits for a revision that etcd has and that the watch has not brought. */
const patience = 15_000;

/** Who waits until the replica has come to a revision. */
export class Reached {
  readonly #timers: Timers;
  #revision: number;
  #waiters: Waiter[] = [];

  constructor(revision: number, timers: Timers) {
    this.#revision = revision;
    this.#timers = timers;
  }

  /** @throws UnavailableError when that takes too long */
  async wait(revision: number): Promise<void> {
    if (revision <= this.#revision) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { revision, resolve };
    this.#waiters.push(waiter);
    const late = this.#timers.after(patience, () => {
      this.#waiters = this.#waiters.filter((each) => each !== waiter);
      reject(new UnavailableError(`etcd does not tell of its changes up to revision ${revision}`));
    });
    await promise.finally(late);
  }

  to(revision: number): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    if (this.#waiters.length === 0) return;
    const due = this.#waiters.filter((each) => each.revision <= revision);
    if (due.length === 0) return;
    this.#waiters = this.#waiters.filter((each) => each.revision > revision);
    for (const { resolve } of due) resolve();
  }
}

/**
 * Shares questions whose answer must not be older than the moment of asking: all that come while one is on its way are
 * answered by the next.
 */
export class Shared<T> {
  readonly #ask: () => Promise<T>;
  #running: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  constructor(ask: () => Promise<T>) {
    this.#ask = ask;
  }

  /** An answer to a question that is asked after this call. */
  now(): Promise<T> {
    if (this.#next) return this.#next;
    const before = this.#running;
    if (!before) return this.#begin();
    const next = before.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    this.#next = next;
    return next;
  }

  #begin(): Promise<T> {
    this.#next = undefined;
    const running = this.#ask();
    this.#running = running;
    const over = () => {
      if (this.#running === running) this.#running = undefined;
    };
    running.then(over, over);
    return running;
  }
}
