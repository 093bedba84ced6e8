import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { HealthCheck } from './health.ts';

/** Whether the server has started, and whether it was told to stop: what the health checks look at. */
export class Life {
  #state: 'starting' | 'serving' | 'stopping' = 'starting';
  readonly #aliveUntil: number;
  readonly #clock: Clock;

  /** @param grace milliseconds after now during which the server counts as alive though it is not serving yet */
  constructor(grace: number, clock: Clock) {
    this.#clock = clock;
    this.#aliveUntil = clock.now() + grace;
  }

  begin(): void {
    this.#state = 'serving';
  }

  /** From now on not ready; resolves after the time that clients get to notice, in milliseconds. */
  async end(notice: number): Promise<void> {
    this.#state = 'stopping';
    if (notice > 0) await delay(notice);
  }

  readonly started: HealthCheck = {
    name: 'poststarthook/bootstrap-objects',
    check: () => {
      if (this.#state === 'starting' && this.#clock.now() > this.#aliveUntil) throw new Error('still starting');
    },
  };

  readonly notStopping: HealthCheck = {
    name: 'shutdown',
    check: () => {
      if (this.#state === 'stopping') throw new Error('the server is stopping');
    },
  };
}
