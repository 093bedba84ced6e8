import type { Cancel, Timers } from '../../base/time/timers.ts';

export interface QueueSetLimits {
  /** Seats that requests may take at once. */
  readonly seats: number;
  /** 0: who finds no seat is turned away. */
  readonly queues: number;
  /** Of one queue. */
  readonly length: number;
}

export type Rejection = 'concurrency-limit' | 'queue-full' | 'time-out' | 'cancelled';

/** A request that waits for its seats. */
interface Waiting {
  readonly seats: number;
  readonly queue: Queue;
  readonly begin: () => void;
  cancelTimeout: Cancel;
}

interface Queue {
  readonly index: number;
  readonly waiting: Waiting[];
  /** Virtual time at which its next request is due: the more seats it was given, the later. */
  due: number;
}

/** How long a request may wait, in milliseconds. */
export const longestWait = 15_000;

/**
 * The seats of one priority level, and who waits for them. While seats are free nobody waits; then the queues take turns,
 * each getting as many seats as the others, whatever its length.
 */
export class QueueSet {
  #limits: QueueSetLimits;
  readonly #timers: Timers;
  /** Those in which somebody waits. */
  readonly #queues = new Map<number, Queue>();
  #inUse = 0;
  #executing = 0;
  #waiting = 0;
  /** Of the request that was let in last. */
  #virtualTime = 0;
  #dispatching = false;

  constructor(limits: QueueSetLimits, timers: Timers) {
    this.#limits = limits;
    this.#timers = timers;
  }

  get seatsInUse(): number {
    return this.#inUse;
  }

  get executing(): number {
    return this.#executing;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get limits(): QueueSetLimits {
    return this.#limits;
  }

  /** Takes effect for those who wait as well. */
  setLimits(limits: QueueSetLimits): void {
    this.#limits = limits;
    this.#dispatch();
  }

  /** Takes seats if nobody has to wait for them. */
  tryTake(seats: number): boolean {
    if (this.#waiting > 0 || !this.#fits(seats)) return false;
    this.#take(seats);
    return true;
  }

  /**
   * Waits for seats in the shortest queue of the hand. Resolves with undefined once they are taken, or with why not.
   * @param onGone is given what ends the wait when the client goes away
   */
  wait(seats: number, hand: readonly number[], onGone: (leave: () => void) => void): Promise<Rejection | undefined> {
    if (this.#limits.queues === 0 || hand.length === 0) return Promise.resolve('concurrency-limit');
    const queue = this.#shortest(hand);
    if (queue.waiting.length >= this.#limits.length) return Promise.resolve('queue-full');
    return new Promise((resolve) => {
      const waiting: Waiting = { seats, queue, begin: () => resolve(undefined), cancelTimeout: () => {} };
      const leave = (why: Rejection) => {
        if (this.#forget(waiting)) resolve(why);
      };
      waiting.cancelTimeout = this.#timers.after(longestWait, () => leave('time-out'));
      onGone(() => leave('cancelled'));
      this.#enter(waiting);
      this.#dispatch();
    });
  }

  release(seats: number): void {
    this.#inUse -= seats;
    this.#executing--;
    if (this.#waiting > 0) this.#dispatch();
  }

  /** Who wants more seats than there are gets in when nobody else is. */
  #fits(seats: number): boolean {
    return this.#inUse === 0 || this.#inUse + seats <= this.#limits.seats;
  }

  #take(seats: number): void {
    this.#inUse += seats;
    this.#executing++;
  }

  #shortest(hand: readonly number[]): Queue {
    let best: Queue | undefined;
    for (const index of hand) {
      const queue = this.#queues.get(index) ?? { index, waiting: [], due: this.#virtualTime };
      if (!best || queue.waiting.length < best.waiting.length) best = queue;
      if (best.waiting.length === 0) break;
    }
    return best as Queue;
  }

  #enter(waiting: Waiting): void {
    const { queue } = waiting;
    // A queue that was empty has no claim to what it might have had.
    if (queue.waiting.length === 0) queue.due = Math.max(queue.due, this.#virtualTime);
    this.#queues.set(queue.index, queue);
    queue.waiting.push(waiting);
    this.#waiting++;
  }

  #forget(waiting: Waiting): boolean {
    const { queue } = waiting;
    const at = queue.waiting.indexOf(waiting);
    if (at < 0) return false;
    queue.waiting.splice(at, 1);
    waiting.cancelTimeout();
    if (queue.waiting.length === 0) this.#queues.delete(queue.index);
    this.#waiting--;
    return true;
  }

  #dispatch(): void {
    if (this.#dispatching) return;
    this.#dispatching = true;
    for (let next = this.#next(); next && this.#fits(next.seats); next = this.#next()) {
      const { queue } = next;
      this.#virtualTime = queue.due;
      queue.due += next.seats;
      this.#forget(next);
      this.#take(next.seats);
      next.begin();
    }
    this.#dispatching = false;
  }

  /** The first of the queue that is due first. */
  #next(): Waiting | undefined {
    let first: Queue | undefined;
    for (const queue of this.#queues.values()) if (!first || queue.due < first.due) first = queue;
    return first?.waiting[0];
  }
}
