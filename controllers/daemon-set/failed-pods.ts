import { type Backoff, waitAfter } from '../runtime/backoff.ts';

/** The wait before a failed pod makes room for another: none for the first, then longer with each. */
const backoff: Backoff = { first: 1_000, most: 900_000 };

/** Remembers where pods fail. A node that refuses a pod would refuse the next one too, as often as one were made. */
export class FailedPods {
  readonly #last = new Map<string, { readonly at: number; readonly failures: number }>();

  /** Milliseconds until a failed pod of a place may go; 0: now, and the next one there has to wait longer. */
  waitBeforeReplacing(place: string, now: number): number {
    this.#forgetUntil(now - 2 * backoff.most);
    const last = this.#last.get(place);
    const wait = last ? last.at + waitAfter(last.failures, backoff) - now : 0;
    if (wait > 0) return wait;
    this.#last.delete(place);
    this.#last.set(place, { at: now, failures: (last?.failures ?? 0) + 1 });
    return 0;
  }

  /** The oldest come first. */
  #forgetUntil(time: number): void {
    for (const [place, { at }] of this.#last) {
      if (at >= time) return;
      this.#last.delete(place);
    }
  }
}
