import type { Timers } from '../../base/timers.ts';
import type { RequestInfo } from '../identify.ts';

/** Requests that are begun between two looks at what has arrived. */
const atATime = 16;
const none: readonly (() => void)[] = [];

/**
 * Begins requests in small numbers, however many arrive at once, so that what is urgent never waits for all of them: it
 * passes those that wait, and what arrived meanwhile is looked at before the next few.
 */
export class Pace {
  readonly #timers: Timers;
  readonly #waiting: (() => void)[] = [];
  #begun = 0;
  #isSet = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Undefined: at once. */
  next(isUrgent: boolean): Promise<void> | undefined {
    if (isUrgent || (this.#waiting.length === 0 && this.#begun < atATime)) {
      this.#begun++;
      this.#set();
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#set();
    });
  }

  #set(): void {
    if (this.#isSet) return;
    this.#isSet = true;
    this.#timers.soon(this.#goOn);
  }

  readonly #goOn = (): void => {
    this.#isSet = false;
    const due = this.#waiting.length === 0 ? none : this.#waiting.splice(0, atATime);
    this.#begun = due.length;
    if (due.length > 0) this.#set();
    for (const begin of due) begin();
  };
}

const healthy = /^\/(?:livez|readyz|healthz)(?:\/|$)/;

/** What tells whether somebody is alive: the server, or those who hold a lease. */
export const isUrgent = ({ isResource, resource, group, path }: RequestInfo): boolean =>
  isResource ? resource === 'leases' && group === 'coordination.k8s.io' : healthy.test(path);
