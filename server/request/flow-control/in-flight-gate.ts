import { mastersGroup } from '../../base/user.ts';
import type { Exchange } from '../exchange.ts';
import { type Entry, type Gate, isLongRunning, nothingTaken } from './gate.ts';

export interface InFlightLimits {
  /** Requests that read, at once; 0: any number. */
  readonly reading: number;
  /** Requests that write, at once; 0: any number. */
  readonly writing: number;
}

const reading: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Counts requests, and turns away those beyond a number. Administrators always get in. */
export class InFlightGate implements Gate {
  readonly #limits: InFlightLimits;
  readonly #running = { reading: 0, writing: 0 };

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  enter(exchange: Exchange): Entry {
    if (isLongRunning(exchange)) return nothingTaken;
    const kind = reading.has(exchange.info.verb) ? 'reading' : 'writing';
    if (this.#limits[kind] === 0) return nothingTaken;
    if (this.#running[kind] >= this.#limits[kind])
      return exchange.user.groups.includes(mastersGroup) ? nothingTaken : 'full';
    this.#running[kind]++;
    return () => {
      this.#running[kind]--;
    };
  }
}
