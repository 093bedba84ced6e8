import { pause, type Timers } from '../../base/timers.ts';
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
 * After a question that so many shared has begun, the next one waits for so many times as many milliseconds, at most for
 * so many: what few ask is asked at once, and where many ask, more of them share a question, which costs more than they.
 */
const rest = { each: 0.25, most: 2 };
/** Questions that may be on their way at a time: a second one keeps those that came after the first from idling. */
const atATime = 2;

/** Shares questions whose answer must not be older than the moment of asking: what comes before one begins is answered by it. */
export class Shared<T> {
  readonly #ask: () => Promise<T>;
  readonly #timers: Timers;
  readonly #now: () => number;
  readonly #running = new Set<Promise<T>>();
  #next: Promise<T> | undefined;
  /** How many share the next one. */
  #waiting = 0;
  #restsUntil = 0;

  /** @param now milliseconds, from any point */
  constructor(ask: () => Promise<T>, timers: Timers, now: () => number) {
    this.#ask = ask;
    this.#timers = timers;
    this.#now = now;
  }

  /** An answer to a question that is asked after this call. */
  now(): Promise<T> {
    this.#waiting++;
    if (this.#next) return this.#next;
    if (this.#running.size === 0 && this.#now() >= this.#restsUntil) return this.#begin();
    this.#next = this.#later();
    return this.#next;
  }

  async #later(): Promise<T> {
    const left = this.#restsUntil - this.#now();
    await (left < 1 ? new Promise<void>((resolve) => this.#timers.soon(resolve)) : pause(this.#timers, left));
    while (this.#running.size >= atATime) await Promise.race(this.#running).catch(() => {});
    return this.#begin();
  }

  #begin(): Promise<T> {
    this.#restsUntil = this.#now() + Math.min(rest.most, rest.each * this.#waiting);
    this.#waiting = 0;
    this.#next = undefined;
    const running = this.#ask();
    this.#running.add(running);
    const over = () => this.#running.delete(running);
    running.then(over, over);
    return running;
  }
}
