import type { Timers } from '../../base/time/timers.ts';
import { type Answer, mereText } from '../answer/respond.ts';
import type { Exchange } from '../exchange.ts';
import type { RequestInfo } from '../identify.ts';
import type { RequestServices } from '../services.ts';
import type { Stage } from '../stage.ts';
import type { Entry, Pacer } from './gate.ts';

/** Waits until there is room for the request, or turns it away. What it takes is given back once it was answered. */
export const takeTurn: Stage = (exchange, services) => {
  const turn = services.pace.next(exchange.info);
  if (turn) return turn.then(() => enter(exchange, services));
  return enter(exchange, services);
};

function enter(exchange: Exchange, { gate, pace }: RequestServices): Answer | undefined | Promise<Answer | undefined> {
  const entry = gate.enter(exchange);
  if (entry instanceof Promise) return wait(exchange, entry, pace);
  if (entry === 'full') return tooMany;
  exchange.leaveGate = entry;
  return undefined;
}

async function wait(exchange: Exchange, entry: Promise<Entry>, pace: Pacer): Promise<Answer | undefined> {
  const settled = await entry;
  if (settled !== 'full') exchange.leaveGate = settled;
  // One that ends lets in the next, and so on: others must have their turn between them.
  await pace.next(exchange.info);
  return settled === 'full' ? tooMany : undefined;
}

const tooMany: Answer = mereText(429, 'Too many requests, please try again later.\n', { 'retry-after': '1' });

/** How soon a request is to begin: at once, before others that wait, or in its turn. */
type Haste = 'urgent' | 'quick' | 'none';

/**
 * Requests that are begun between two looks at what has arrived: of those that need not wait, of those that are soon done,
 * and of the others, of which one may take as long as ten of these.
 */
const atATime = { unasked: 16, quick: 32, others: 4 };
type Begin = () => void;
const none: readonly Begin[] = [];

/**
 * Begins requests in small numbers, however many arrive at once, so that what is urgent never waits for all of them: it
 * passes those that wait, and what arrived meanwhile is looked at before the next few. Among these are those first that
 * are soon done, and always some of the others.
 */
export class Pace implements Pacer {
  readonly #timers: Timers;
  readonly #quick: Begin[] = [];
  readonly #others: Begin[] = [];
  #begun = 0;
  #isSet = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  next(info: RequestInfo): Promise<void> | undefined {
    if (!this.#isSet) this.#set();
    const waits = this.#quick.length > 0 || this.#others.length > 0 || this.#begun >= atATime.unasked;
    const haste = waits ? hasteOf(info) : 'urgent';
    if (haste === 'urgent') {
      this.#begun++;
      return undefined;
    }
    return new Promise((resolve) => (haste === 'quick' ? this.#quick : this.#others).push(resolve));
  }

  #set(): void {
    this.#isSet = true;
    this.#timers.soon(this.#goOn);
  }

  readonly #goOn = (): void => {
    this.#isSet = false;
    const due = this.#quick.length === 0 && this.#others.length === 0 ? none : this.#take();
    this.#begun = due.length;
    if (due.length > 0) this.#set();
    for (const begin of due) begin();
  };

  #take(): readonly Begin[] {
    return [...this.#quick.splice(0, atATime.quick), ...this.#others.splice(0, atATime.others)];
  }
}

const healthy = /^\/(?:livez|readyz|healthz)(?:\/|$)/;

/** What tells whether somebody is alive (the server, or those who hold a lease) is urgent; one object is soon read. */
export function hasteOf({ isResource, resource, group, path, verb, subresource }: RequestInfo): Haste {
  if (!isResource) return healthy.test(path) ? 'urgent' : 'none';
  if (resource === 'leases' && group === 'coordination.k8s.io') return 'urgent';
  return verb === 'get' && !subresource ? 'quick' : 'none';
}
