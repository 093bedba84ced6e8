import type { Timers } from '../../base/timers.ts';
import type { RequestInfo } from '../identify.ts';

/** How soon a request is to begin: at once, before others that wait, or in its turn. */
export type Haste = 'urgent' | 'quick' | 'none';

/** Requests that are begun between two looks at what has arrived, and how many of them may pass others. */
const atATime = { all: 16, quick: 12 };
type Begin = () => void;
const none: readonly Begin[] = [];

/**
 * Begins requests in small numbers, however many arrive at once, so that what is urgent never waits for all of them: it
 * passes those that wait, and what arrived meanwhile is looked at before the next few. Among these are those first that
 * are soon done, and always some of the others.
 */
export class Pace {
  readonly #timers: Timers;
  readonly #quick: Begin[] = [];
  readonly #others: Begin[] = [];
  #begun = 0;
  #isSet = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Undefined: at once. */
  next(haste: Haste): Promise<void> | undefined {
    if (haste === 'urgent' || (this.#waiting === 0 && this.#begun < atATime.all)) {
      this.#begun++;
      this.#set();
      return undefined;
    }
    return new Promise((resolve) => {
      (haste === 'quick' ? this.#quick : this.#others).push(resolve);
      this.#set();
    });
  }

  get #waiting(): number {
    return this.#quick.length + this.#others.length;
  }

  #set(): void {
    if (this.#isSet) return;
    this.#isSet = true;
    this.#timers.soon(this.#goOn);
  }

  readonly #goOn = (): void => {
    this.#isSet = false;
    const due = this.#waiting === 0 ? none : this.#take();
    this.#begun = due.length;
    if (due.length > 0) this.#set();
    for (const begin of due) begin();
  };

  #take(): readonly Begin[] {
    const kept = Math.min(this.#others.length, atATime.all - atATime.quick);
    const due = this.#quick.splice(0, atATime.all - kept);
    return [...due, ...this.#others.splice(0, atATime.all - due.length)];
  }
}

const healthy = /^\/(?:livez|readyz|healthz)(?:\/|$)/;

/** What tells whether somebody is alive (the server, or those who hold a lease) is urgent; one object is soon read. */
export function hasteOf({ isResource, resource, group, path, verb, subresource }: RequestInfo): Haste {
  if (!isResource) return healthy.test(path) ? 'urgent' : 'none';
  if (resource === 'leases' && group === 'coordination.k8s.io') return 'urgent';
  return verb === 'get' && !subresource ? 'quick' : 'none';
}
