import type { Clock } from '../base/time/clock.ts';
import { pause, type Timers } from '../base/time/timers.ts';
import type { HealthCheck } from './health.ts';

/** What a start does, part by part. */
export type StartPart = 'admission' | 'objects' | 'fairness' | 'kinds' | 'apiServices' | 'customResources' | 'serving';

/**
 * The checks that tell of the start, by the names and in the order that monitoring knows, each with the part that brings
 * what it tells of.
 */
const startHooks: readonly (readonly [name: string, part: StartPart])[] = [
  ['poststarthook/start-kube-apiserver-admission-initializer', 'admission'],
  ['poststarthook/generic-apiserver-start-informers', 'kinds'],
  ['poststarthook/priority-and-fairness-config-consumer', 'fairness'],
  ['poststarthook/priority-and-fairness-filter', 'fairness'],
  ['poststarthook/start-apiextensions-informers', 'customResources'],
  ['poststarthook/start-apiextensions-controllers', 'customResources'],
  ['poststarthook/crd-informer-synced', 'customResources'],
  ['poststarthook/bootstrap-controller', 'objects'],
  ['poststarthook/rbac/bootstrap-roles', 'objects'],
  ['poststarthook/scheduling/bootstrap-system-priority-classes', 'objects'],
  ['poststarthook/priority-and-fairness-config-producer', 'objects'],
  ['poststarthook/start-cluster-authentication-info-controller', 'objects'],
  ['poststarthook/start-kube-aggregator-informers', 'apiServices'],
  ['poststarthook/apiservice-registration-controller', 'apiServices'],
  ['poststarthook/apiservice-status-available-controller', 'apiServices'],
  ['poststarthook/apiservice-wait-for-first-sync', 'apiServices'],
  ['poststarthook/kube-apiserver-autoregistration', 'apiServices'],
  ['autoregister-completion', 'apiServices'],
  ['poststarthook/apiservice-openapi-controller', 'serving'],
  ['poststarthook/apiservice-openapiv3-controller', 'serving'],
];

/** Whether the server has started, and whether it was told to stop: what the health checks look at. */
export class Life {
  #state: 'starting' | 'serving' | 'stopping' = 'starting';
  readonly #reached = new Set<StartPart>();
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
    this.reached('serving');
  }

  /** From now on not ready; resolves after the time that clients get to notice, in milliseconds. */
  async end(notice: number): Promise<void> {
    this.#state = 'stopping';
    if (notice > 0) await pause(this.#timers, notice);
  }

  /** Notes that a part of the start is done. */
  reached(part: StartPart): void {
    this.#reached.add(part);
  }

  /** One check for each thing that a start brings: no failure while the server may take its time. */
  readonly started: readonly HealthCheck[] = startHooks.map(([name, part]) => ({
    name,
    check: () => {
      if (!this.#reached.has(part) && this.#clock.now() > this.#aliveUntil) throw new Error('still starting');
    },
  }));

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
