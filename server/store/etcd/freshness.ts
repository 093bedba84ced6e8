import type { Timers } from '../../base/time/timers.ts';
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

/** Milliseconds that a question waits at most for others that share it. */
const longestWait = 2;

/**
 * Shares questions whose answer must not be older than the moment of asking. One is on its way at a time. The next is
 * asked once that one is answered and a turn of the event loop brings nobody more, and is for all who came until then: a
 * question costs more than what shares it, and where many ask, those who were answered soon ask again.
 */
export class Shared<T> {
  readonly #ask: () => Promise<T>;
  readonly #timers: Timers;
  readonly #now: () => number;
  #running: Promise<unknown> = Promise.resolve();
  /** Not asked yet. */
  #next: Promise<T> | undefined;
  /** How many share the next one. */
  #waiting = 0;

  /** @param now milliseconds, from any point */
  constructor(ask: () => Promise<T>, timers: Timers, now: () => number) {
    this.#ask = ask;
    this.#timers = timers;
    this.#now = now;
  }

  /** An answer to a question that is asked after this call. */
  now(): Promise<T> {
    this.#waiting++;
    this.#next ??= this.#askNext();
    return this.#next;
  }

  async #askNext(): Promise<T> {
    await this.#running;
    await this.#gather();
    this.#next = undefined;
    const answer = this.#ask();
    this.#running = answer.catch(() => {});
    return answer;
  }

  async #gather(): Promise<void> {
    const until = this.#now() + longestWait;
    for (let before = 0; before < this.#waiting && this.#now() < until; ) {
      before = this.#waiting;
      await new Promise<void>((resolve) => this.#timers.soon(resolve));
    }
    this.#waiting = 0;
  }
}
