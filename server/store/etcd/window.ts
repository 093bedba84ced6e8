import { UnavailableError } from '../store.ts';

interface Waiter {
  readonly since: number;
  readonly begin: () => void;
  readonly giveUp: (error: Error) => void;
}

/**
 * Lets only so many things be on their way at a time. The others wait in line here, where what is urgent may pass them:
 * all that an etcd has been given it does in its own order, and more of it makes nothing faster.
 */
export class Window {
  readonly #size: number;
  readonly #patience: number;
  readonly #now: () => number;
  readonly #urgent: Waiter[] = [];
  readonly #others: Waiter[] = [];
  #running = 0;

  /** @param patience milliseconds that something may stand in line @param now milliseconds, from any point */
  constructor(size: number, patience: number, now: () => number) {
    this.#size = size;
    this.#patience = patience;
    this.#now = now;
  }

  /** @throws UnavailableError when its turn did not come in time */
  async run<T>(isUrgent: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#size) await this.#turn(isUrgent ? this.#urgent : this.#others);
    else this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      this.#goOn();
    }
  }

  #turn(line: Waiter[]): Promise<void> {
    return new Promise((begin, giveUp) => line.push({ since: this.#now(), begin, giveUp }));
  }

  /** Who has waited too long is told once one of those on their way is done: an etcd that hangs ends these in time. */
  #goOn(): void {
    while (this.#running < this.#size) {
      const next = this.#urgent.shift() ?? this.#others.shift();
      if (!next) return;
      if (this.#now() - next.since >= this.#patience) next.giveUp(new UnavailableError('etcd is too slow'));
      else {
        this.#running++;
        next.begin();
      }
    }
  }
}
