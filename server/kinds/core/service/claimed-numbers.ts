import type { Claim } from './addresses.ts';

/** How long a claim waits for its write, in milliseconds. Longer than any request may take. */
const claimLife = 120_000;

/** Numbers that holders have: for good, or claimed until a time. */
export class NumberHoldings {
  readonly #held = new Map<number, string>();
  readonly #claimed = new Map<number, { holder: string; until: number }>();

  /** Free for the claimant, who may have it already. */
  isFree(number: number, { holder, now }: Claim): boolean {
    const owner = this.#held.get(number);
    if (owner !== undefined && owner !== holder) return false;
    const claim = this.#claimed.get(number);
    return !claim || claim.holder === holder || claim.until <= now;
  }

  /** Held and claimed by nobody, the claimant included. */
  isUnused(number: number, { now }: Claim): boolean {
    const claim = this.#claimed.get(number);
    return !this.#held.has(number) && (!claim || claim.until <= now);
  }

  claim(number: number, { holder, now, dryRun }: Claim): void {
    if (!dryRun) this.#claimed.set(number, { holder, until: now + claimLife });
  }

  abandon(holder: string): void {
    for (const [number, claim] of this.#claimed) if (claim.holder === holder) this.#claimed.delete(number);
  }

  hold(numbers: Iterable<number>, holder: string): void {
    for (const number of numbers) if (!this.#held.has(number)) this.#held.set(number, holder);
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
