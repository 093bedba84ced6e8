import type { Fault } from './fault.ts';
import type { Random } from './random.ts';

/** A fault for requests, or calls of webhooks, to come. */
export type WaitingFault = Extract<Fault, { readonly times?: number }>;

interface Waiting {
  readonly fault: WaitingFault;
  /** The store's revision when it was asked for. */
  readonly since: number;
  /** How many it is still for. */
  left: number;
}

/** Faults that wait, in their order. */
export class WaitingFaults {
  #waiting: Waiting[] = [];

  get all(): readonly WaitingFault[] {
    return this.#waiting.map(({ fault }) => fault);
  }

  add(fault: WaitingFault, since: number): void {
    const { times = 1 } = fault;
    this.#waiting.push({ fault, since, left: times === 0 ? Number.POSITIVE_INFINITY : times });
  }

  /** The first that fits and that chance does not spare; it is for one less from then on. */
  take(fits: (fault: WaitingFault) => boolean, random: Random): Omit<Waiting, 'left'> | undefined {
    const found = this.#waiting.find(
      ({ fault }) => fits(fault) && (fault.chance === undefined || random() < fault.chance),
    );
    if (!found) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#waiting = this.#waiting.filter((each) => each !== found);
    return found;
  }

  clear(): void {
    this.#waiting = [];
  }
}
