import type { Claim } from './addresses.ts';

/** Numbers that holders have: for good, or claimed by a write that is under way. */
export class NumberHoldings {
  readonly #held = new Map<number, string>();
  readonly #claimed = new Map<number, Claim>();

  /** Free for the claimant, who may have it already. */
  isFree(number: number, claim: Claim): boolean {
    const owner = this.#held.get(number);
    if (owner !== undefined && owner !== claim.holder) return false;
    const claimed = this.#claimed.get(number);
    return !claimed || claimed === claim;
  }

  /** Held and claimed by nobody, the claimant included. */
  isUnused(number: number): boolean {
    return !this.#held.has(number) && !this.#claimed.has(number);
  }

  claim(number: number, claim: Claim): void {
    const has = this.#held.get(number) === claim.holder || this.#claimed.get(number) === claim;
    if (has || claim.dryRun) return;
    this.#claimed.set(number, claim);
    claim.onAbandon(() => {
      if (this.#claimed.get(number) === claim) this.#claimed.delete(number);
    });
  }

  /** What a holder has for good needs no claim any more. */
  hold(numbers: Iterable<number>, holder: string): void {
    for (const number of numbers) {
      if (!this.#held.has(number)) this.#held.set(number, holder);
      this.#claimed.delete(number);
    }
  }

  release(numbers: Iterable<number>, holder: string): void {
    for (const number of numbers) if (this.#held.get(number) === holder) this.#held.delete(number);
  }
}

/** A number from 0 up to, not including, the bound. */
export type Random = (bound: number) => number;

/** The first fitting number at or after a random one, between first and last; undefined when none fits. */
export function pickNumber(
  first: number,
  last: number,
  random: Random,
  fits: (number: number) => boolean,
): number | undefined {
  const count = last - first + 1;
  if (count <= 0) return undefined;
  const start = random(count);
  for (let step = 0; step < count; step++) {
    const number = first + ((start + step) % count);
    if (fits(number)) return number;
  }
  return undefined;
}
