import type { Clock } from '../base/clock.ts';
import type { Timers } from '../base/timers.ts';
import type { Incoming, Outgoing } from '../request/exchange.ts';
import { identify } from '../request/identify.ts';
import type { Store } from '../store/store.ts';
import { cut, failWith, isGone, loseAnswer, sendAway } from './answers.ts';
import { type Fault, FaultError, parseFault, type RequestFault, type ServerFault } from './fault.ts';
import { type Asked, fits } from './match.ts';
import { OpenWatch } from './open-watch.ts';

/** What was done. */
export interface FaultRecord {
  /** RFC 3339. */
  readonly at: string;
  readonly fault: Fault['fault'];
  /** Method and URL of the request, or of the watch; missing for what happened to the whole server. */
  readonly request?: string;
}

/** A fault for requests to come. */
export type WaitingFault = Extract<Fault, RequestFault>;

interface Waiting {
  readonly fault: WaitingFault;
  /** Requests it is still for. */
  left: number;
}

interface FaultsParts {
  readonly enabled: boolean;
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  /** From 0 up to, but without, 1. */
  readonly random: () => number;
}

/** What begins so steers the server; requests to it have no faults. */
const controlPaths = '/touchstone/';
/** Where faults are asked for over HTTP. */
export const faultsPath = `${controlPaths}faults`;

/** Bounds on what is remembered. */
const most = { records: 1000, waiting: 1000 };

/**
 * Goes wrong on demand, so that clients can be tried. Faults are between the connection and the server proper, which knows
 * nothing of them.
 */
export class Faults {
  readonly #parts: FaultsParts;
  #waiting: Waiting[] = [];
  readonly #watches = new Set<OpenWatch>();
  readonly #log: FaultRecord[] = [];

  constructor(parts: FaultsParts) {
    this.#parts = parts;
  }

  /** What was done so far, the newest thousand at most. */
  get log(): readonly FaultRecord[] {
    return this.#log;
  }

  /** What has not happened yet. */
  get waiting(): readonly WaitingFault[] {
    return this.#waiting.map(({ fault }) => fault);
  }

  /**
   * Makes something go wrong: at once, or with the next requests that match.
   * @throws FaultError when the fault makes no sense, or the server was started without `faults: true`
   */
  async inject(given: Fault): Promise<void> {
    if (!this.#parts.enabled) throw new FaultError('the server was not started with faults');
    const fault = parseFault(given);
    if (fault.fault === 'expire') return this.#expire();
    if (isForRequests(fault)) this.#wait(fault);
    else this.#disturb(fault);
  }

  #disturb(fault: Exclude<Fault, WaitingFault | ServerFault>): void {
    for (const watch of [...this.#watches]) {
      if (!fits(watch.asked, fault.match)) continue;
      watch.meet(fault.fault);
      this.#record(fault.fault, watch.asked);
    }
  }

  /** Takes back what has not happened yet, and lets frozen watches go on. */
  clear(): void {
    this.#waiting = [];
    for (const watch of this.#watches) watch.meet('thawWatches');
  }

  /** Does to a request what is waiting for it; `handle` carries it out. */
  meet(incoming: Incoming, outgoing: Outgoing, handle: () => void): void {
    const { method = 'GET', url = '/' } = incoming;
    const asked = { info: identify(method, url), method, url, userAgent: incoming.headers['user-agent'] ?? '' };
    if (asked.info.path.startsWith(controlPaths)) {
      handle();
      return;
    }
    const delay = this.#take(asked, ({ fault }) => fault === 'delay');
    const fault = this.#take(asked, (each) => each.fault !== 'delay');
    const go = () => this.#carryOut(asked, fault, { incoming, outgoing, handle });
    if (delay?.fault === 'delay') {
      this.#parts.timers.after(delay.milliseconds + this.#parts.random() * (delay.jitter ?? 0), go);
    } else go();
  }

  #carryOut(asked: Asked, fault: WaitingFault | undefined, { incoming, outgoing, handle }: Meeting): void {
    if (isGone(outgoing)) return;
    if (fault?.fault === 'fail') failWith(fault, incoming, outgoing);
    else if (fault?.fault === 'drop') cut(outgoing);
    else {
      if (fault?.fault === 'goAway') sendAway(outgoing);
      if (fault?.fault === 'dropAfter') loseAnswer(outgoing);
      else if (asked.info.verb === 'watch') this.#track(asked, outgoing, fault?.fault === 'withholdBookmarks');
      handle();
    }
  }

  #track(asked: Asked, outgoing: Outgoing, withoutBookmarks: boolean): void {
    const watch = new OpenWatch(asked, outgoing, withoutBookmarks);
    this.#watches.add(watch);
    outgoing.once('close', () => this.#watches.delete(watch));
  }

  #wait(fault: WaitingFault): void {
    if (this.#waiting.length >= most.waiting) throw new FaultError(`at most ${most.waiting} faults may wait`);
    const { times = 1 } = fault;
    this.#waiting.push({ fault, left: times === 0 ? Number.POSITIVE_INFINITY : times });
  }

  /** The first fault of this sort that waits for such a request. */
  #take(asked: Asked, isSort: (fault: WaitingFault) => boolean): WaitingFault | undefined {
    const found = this.#waiting.find(({ fault }) => isSort(fault) && isAbout(fault, asked) && fits(asked, fault.match));
    if (!found) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#waiting = this.#waiting.filter((each) => each !== found);
    this.#record(found.fault.fault, asked);
    return found.fault;
  }

  async #expire(): Promise<void> {
    const { store } = this.#parts;
    await store.compact(await store.currentRevision());
    this.#record('expire');
  }

  #record(fault: Fault['fault'], asked?: Asked): void {
    const at = new Date(this.#parts.clock.now()).toISOString();
    this.#log.push({ at, fault, ...(asked && { request: `${asked.method} ${asked.url}` }) });
    if (this.#log.length > most.records) this.#log.shift();
  }
}

interface Meeting {
  readonly incoming: Incoming;
  readonly outgoing: Outgoing;
  readonly handle: () => void;
}

const requestFaults: readonly string[] = ['fail', 'delay', 'drop', 'dropAfter', 'goAway', 'withholdBookmarks'];
const isForRequests = (fault: Fault): fault is WaitingFault => requestFaults.includes(fault.fault);

/** Bookmarks are an affair of watches alone. */
const isAbout = ({ fault }: WaitingFault, { info }: Asked) => fault !== 'withholdBookmarks' || info.verb === 'watch';
