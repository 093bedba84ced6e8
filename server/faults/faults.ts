import type { MovableClock } from '../base/time/movable-clock.ts';
import { pause } from '../base/time/timers.ts';
import type { Incoming, Outgoing } from '../request/exchange.ts';
import { identify } from '../request/identify.ts';
import type { Store } from '../store/store.ts';
import { cut, failWith, isGone, loseAnswer, sendAway } from './answers.ts';
import { type Fault, FaultError, type ServerFault, type WatchFault } from './fault.ts';
import { type Asked, fits } from './match.ts';
import { OpenWatch } from './open-watch.ts';
import { parseFault } from './parse-fault.ts';
import { type Random, seeded } from './random.ts';
import { cuesOf, readYaml, type Scenario } from './scenario.ts';
import { type StaleReads, staleReads } from './stale-reads.ts';
import { UsedTokens } from './tokens.ts';
import { type WaitingFault, WaitingFaults } from './waiting.ts';
import { WatchFaults } from './watches.ts';

/** What was done. */
export interface FaultRecord {
  /** RFC 3339. */
  readonly at: string;
  readonly fault: Fault['fault'];
  /** Method and URL of the request, or of the watch; the webhook; missing for what happened to the whole server. */
  readonly request?: string;
}

/** The parts of the server that faults reach into; there once it is put together. */
export interface Reach {
  /** Sends every watch that takes bookmarks one. */
  sendBookmarks(): void;
  /** Shows new connections a certificate that is over, or the good one. @throws FaultError when it has no other to show */
  showCertificate(which: 'expired' | 'good'): void;
}

interface FaultsParts {
  readonly enabled: boolean;
  readonly store: Store;
  readonly clock: MovableClock;
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
  readonly #stale: StaleReads | undefined;
  readonly #waiting = new WaitingFaults();
  readonly #watches = new WatchFaults();
  readonly #tokens = new UsedTokens();
  readonly #log: FaultRecord[] = [];
  #random: Random = Math.random;
  #reach: Reach | undefined;
  /** Scenarios that began before are over when it has changed. */
  #scene = 0;
  #cuesLeft = 0;

  constructor(parts: FaultsParts) {
    this.#parts = parts;
    if (parts.enabled) this.#stale = staleReads(parts.store);
  }

  /** The store for the server to read from: some reads show an older state. */
  get store(): Store {
    return this.#stale?.store ?? this.#parts.store;
  }

  /** @internal */
  reachInto(reach: Reach): void {
    this.#reach = reach;
  }

  /** What was done so far, the newest thousand at most. */
  get log(): readonly FaultRecord[] {
    return this.#log;
  }

  /** What has not happened yet. */
  get waiting(): readonly WaitingFault[] {
    return this.#waiting.all;
  }

  /** How many steps of a scenario that plays are still to come. */
  get steps(): number {
    return this.#cuesLeft;
  }

  /**
   * Makes something go wrong: at once, or with the next requests that match.
   * @throws FaultError when the fault makes no sense, or the server was started without `faults: true`
   */
  async inject(given: Fault): Promise<void> {
    if (!this.#parts.enabled) throw new FaultError('the server was not started with faults');
    const fault = parseFault(given);
    if (isWaiting(fault)) await this.#wait(fault);
    else if (isAboutWatches(fault)) this.#disturb(fault);
    else await this.#strike(fault);
  }

  /**
   * Plays a scenario, an object or a text of YAML, by the server's clock; one that plays already ends.
   * Resolves when its last step has come, or `clear` has ended it.
   * @throws FaultError, before anything happens, when a step makes no sense
   */
  async play(scenario: Scenario | string): Promise<void> {
    if (!this.#parts.enabled) throw new FaultError('the server was not started with faults');
    const { seed, cues } = cuesOf(typeof scenario === 'string' ? readYaml(scenario) : scenario);
    this.#scene += 1;
    const scene = this.#scene;
    if (seed !== undefined) this.#random = seeded(seed);
    this.#cuesLeft = cues.length;
    for (const { wait, fault } of cues) {
      if (wait > 0) await pause(this.#parts.clock, wait);
      if (this.#scene !== scene) return;
      this.#cuesLeft -= 1;
      await this.inject(fault);
    }
  }

  /** Takes back what has not happened yet; frozen watches, tokens, the certificate and the time of day are as before. */
  clear(): void {
    this.#scene += 1;
    this.#cuesLeft = 0;
    this.#random = Math.random;
    this.#waiting.clear();
    this.#watches.thaw();
    this.#tokens.restore();
    this.#parts.clock.skewTo(0);
    this.#reach?.showCertificate('good');
  }

  /** Does to a request what is waiting for it; `handle` carries it out. */
  meet(incoming: Incoming, outgoing: Outgoing, handle: () => void): void {
    const { method = 'GET', url = '/', headers } = incoming;
    const asked = { info: identify(method, url), method, url, userAgent: headers['user-agent'] ?? '' };
    if (asked.info.path.startsWith(controlPaths)) {
      handle();
      return;
    }
    const { clock } = this.#parts;
    if (clock.skew !== 0 || clock.advanced !== 0) outgoing.setHeader('date', new Date(clock.now()).toUTCString());
    const delay = this.#take(asked, ({ fault }) => fault === 'delay');
    const taken = this.#take(asked, ({ fault }) => fault !== 'delay');
    const tokenIsOver = this.#tokens.use(headers.authorization, asked);
    const met = tokenIsOver ? { fault: { fault: 'fail', code: 401 } as const, since: 0 } : taken;
    const go = () => this.#carryOut(asked, met, { incoming, outgoing, handle });
    if (delay?.fault.fault === 'delay') {
      const { milliseconds, jitter = 0 } = delay.fault;
      clock.after(milliseconds + this.#random() * jitter, go);
    } else go();
  }

  /** What is waiting for a call of the webhook of this name. */
  meetWebhook(name: string): Error | undefined {
    const isMeant = (fault: WaitingFault) =>
      fault.fault === 'webhookOutage' && (fault.webhook === undefined || fault.webhook === name);
    if (!this.#waiting.take(isMeant, this.#random)) return undefined;
    this.#record('webhookOutage', `webhook ${name}`);
    return new Error('connect ECONNREFUSED (a fault that was asked for)');
  }

  #carryOut(asked: Asked, met: ReturnType<WaitingFaults['take']>, meeting: Meeting): void {
    const { incoming, outgoing, handle } = meeting;
    if (isGone(outgoing)) return;
    const { fault, since = 0 } = met ?? {};
    if (fault?.fault === 'fail') failWith(fault, incoming, outgoing);
    else if (fault?.fault === 'drop') cut(outgoing);
    else if (fault?.fault === 'staleReads') this.#stale?.readAsOf(since, handle);
    else {
      if (fault?.fault === 'goAway') sendAway(outgoing);
      if (fault?.fault === 'dropAfter') loseAnswer(outgoing);
      else if (asked.info.verb === 'watch')
        this.#watches.add(new OpenWatch(asked, outgoing, this.#parts.clock), fault?.fault === 'withholdBookmarks');
      handle();
    }
  }

  async #wait(fault: WaitingFault): Promise<void> {
    if (this.waiting.length >= most.waiting) throw new FaultError(`at most ${most.waiting} faults may wait`);
    this.#waiting.add(fault, fault.fault === 'staleReads' ? await this.#parts.store.currentRevision() : 0);
  }

  /** The first fault of this sort that waits for such a request. */
  #take(asked: Asked, isSort: (fault: WaitingFault) => boolean): ReturnType<WaitingFaults['take']> {
    const found = this.#waiting.take((fault) => isSort(fault) && isMeant(fault, asked), this.#random);
    if (found) this.#record(found.fault.fault, askedFor(asked));
    return found;
  }

  #disturb(fault: WatchFault): void {
    for (const { asked } of this.#watches.meet(fault, () => this.#reach?.sendBookmarks()))
      this.#record(fault.fault, askedFor(asked));
  }

  async #strike(fault: ServerFault): Promise<void> {
    const { store, clock } = this.#parts;
    // Before it happens: the time that it moves is told as it was.
    this.#record(fault.fault);
    if (fault.fault === 'expire') await store.compact(await store.currentRevision());
    if (fault.fault === 'expireTokens') this.#tokens.expire(fault.match);
    if (fault.fault === 'expireCertificate') this.#reach?.showCertificate('expired');
    if (fault.fault === 'renewCertificate') this.#reach?.showCertificate('good');
    if (fault.fault === 'skewClock') clock.skewTo(fault.by);
    if (fault.fault === 'advanceClock') await clock.advance(fault.by);
  }

  #record(fault: Fault['fault'], request?: string): void {
    const at = new Date(this.#parts.clock.now()).toISOString();
    this.#log.push({ at, fault, ...(request !== undefined && { request }) });
    if (this.#log.length > most.records) this.#log.shift();
  }
}

interface Meeting {
  readonly incoming: Incoming;
  readonly outgoing: Outgoing;
  readonly handle: () => void;
}

const forLater: readonly string[] = [
  'fail',
  'delay',
  'drop',
  'dropAfter',
  'goAway',
  'staleReads',
  'withholdBookmarks',
  'webhookOutage',
];
const isWaiting = (fault: Fault): fault is WaitingFault => forLater.includes(fault.fault);
const isAboutWatches = (fault: Fault): fault is Extract<Fault, WatchFault> =>
  /Watches$|^sendBookmarks$/.test(fault.fault);

const askedFor = ({ method, url }: Asked) => `${method} ${url}`;

/** Some are an affair of some requests alone. */
const onlyFor: Readonly<Partial<Record<Fault['fault'], readonly string[]>>> = {
  withholdBookmarks: ['watch'],
  staleReads: ['get', 'list'],
  webhookOutage: [],
};

const isMeant = (fault: WaitingFault, asked: Asked): boolean =>
  (onlyFor[fault.fault]?.includes(asked.info.verb) ?? true) && fits(asked, 'match' in fault ? fault.match : undefined);
