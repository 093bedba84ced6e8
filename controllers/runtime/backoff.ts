/** How waits grow from failure to failure. Times are milliseconds. */
export interface Backoff {
  readonly first: number;
  readonly most: number;
}

/** The wait after so many failures in a row (1 is the first): doubled each time up to the most. */
export const waitAfter = (failures: number, { first, most }: Backoff): number =>
  Math.min(most, first * 2 ** Math.min(Math.max(0, failures - 1), 52));

/** The same wait, up to half as long again, so that many who failed together do not come back together. */
export const jitteredWaitAfter = (failures: number, backoff: Backoff, random: () => number = Math.random): number =>
  waitAfter(failures, backoff) * (1 + random() / 2);

/** Tokens that trickle in at a steady rate up to a most: who finds none waits for its turn. */
export class TokenBucket {
  readonly #perMillisecond: number;
  readonly #most: number;
  #tokens: number;
  #at: number;

  /** @param perSecond tokens that come in a second @param most tokens that can lie there, and do at the start */
  constructor(perSecond: number, most: number, now: number) {
    this.#perMillisecond = perSecond / 1000;
    this.#most = most;
    this.#tokens = most;
    this.#at = now;
  }

  /** Takes a token if one is there. */
  tryTake(now: number): boolean {
    this.#refill(now);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes a token, perhaps one that is still to come: how many milliseconds until it has. */
  reserve(now: number): number {
    this.#refill(now);
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMillisecond;
  }

  #refill(now: number): void {
    // A clock that is set back takes no tokens away.
    const passed = Math.max(0, now - this.#at);
    this.#tokens = Math.min(this.#most, this.#tokens + passed * this.#perMillisecond);
    this.#at = now;
  }
}
