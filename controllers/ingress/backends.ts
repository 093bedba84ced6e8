import { type Clock, pause } from '../runtime/clock.ts';
import type { Endpoint } from './endpoints.ts';
import type { Backend } from './plan.ts';

type Ports = ReadonlyMap<string | number, readonly Endpoint[]>;

const none: readonly Endpoint[] = [];

/**
 * Milliseconds for which a backend without endpoints is waited for after a change of routes or of it itself: what
 * Ingresses, Services and slices say comes on streams of their own, in any order.
 */
const settling = 1_000;
const step = 10;

/** The endpoints of all Services, which requests take in turns. */
export class Backends {
  readonly #services = new Map<string, { readonly ports: Ports; readonly since: number }>();
  readonly #clock: Clock;
  readonly #waiting = new AbortController();
  #routedAt = 0;
  #turn = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param service its key @param ports undefined when it is gone */
  set(service: string, ports: Ports | undefined): void {
    if (ports) this.#services.set(service, { ports, since: this.#clock.now() });
    else this.#services.delete(service);
  }

  /** Says that the routes are other ones now. */
  routed(): void {
    this.#routedAt = this.#clock.now();
  }

  /** The endpoints in the order in which this request may try them. */
  inTurn({ service, port }: Backend): readonly Endpoint[] {
    const all = this.#services.get(service)?.ports.get(port) ?? none;
    if (all.length < 2) return all;
    this.#turn = (this.#turn + 1) % 0x40000000;
    const first = this.#turn % all.length;
    return first === 0 ? all : [...all.slice(first), ...all.slice(0, first)];
  }

  /** Those of a backend that has none yet, if news of it may still be on the way. */
  async awaited(backend: Backend): Promise<readonly Endpoint[]> {
    const { since = 0 } = this.#services.get(backend.service) ?? {};
    const end = Math.max(since, this.#routedAt) + settling;
    while (this.#clock.now() < end && !this.#waiting.signal.aborted) {
      await pause(this.#clock, step, this.#waiting.signal);
      const found = this.inTurn(backend);
      if (found.length > 0) return found;
    }
    return none;
  }

  /** Nobody waits any more. */
  close(): void {
    this.#waiting.abort();
  }
}
