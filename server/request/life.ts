import type { Clock } from '../base/clock.ts';
import { pause, type Timers } from '../base/timers.ts';
import type { HealthCheck } from './health.ts';

/** Whether the server has started, and whether it was told to stop: what the health checks look at. */
export class Life {
  #state: 'starting' | 'serving' | 'stopping' = 'starting';
  readonly #aliveUntil: number;
  readonly #clock: Clock;
  readonly #timers: Timers;

  /** @param grace milliseconds after now during which the server counts as alive though it is not serving yet */
  constructor(grace: number, clock: Clock, timers: Timers) {
    this.#clock = clock;
    this.#timers = timers;
    this.#aliveUntil = clock.now() + grace;
  }

  begin(): void {
    this.#state = 'serving';
  }

  /** From now on not ready; resolves after the time that clients get to notice, in milliseconds. */
  async end(notice: number): Promise<void> {
    this.#state = 'stopping';
    if (notice > 0) await pause(this.#timers, notice);
  }

  readonly started: HealthCheck = {
    name: 'poststarthook/bootstrap-objects',
    check: () => {
      if (this.#state === 'starting' && this.#clock.now() > this.#aliveUntil) throw new Error('still starting');
    },
  };

  /** What the server keeps at hand of the store was read. */
  readonly synced: HealthCheck = {
    name: 'informer-sync',
    check: () => {
      if (this.#state === 'starting') throw new Error('still reading the store');
    },
  };

  readonly notStopping: HealthCheck = {
    name: 'shutdown',
    check: () => {
      if (this.#state === 'stopping') throw new Error('the server is stopping');
    },
  };
}
