export interface BucketOptions {
  /** Tokens that come back each second. */
  readonly perSecond: number;
  /** Tokens that a full bucket holds. */
  readonly burst: number;
  /** Buckets kept; when there are more, the one used longest ago is forgotten. */
  readonly most: number;
  /** Milliseconds. */
  now(): number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** A bucket of tokens for each key; a new one is full. */
export class TokenBuckets {
  readonly #options: BucketOptions;
  /** Used longest ago first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: BucketOptions) {
    this.#options = options;
  }

  /** Takes one token of the key's bucket; false when it is empty. */
  take(key: string): boolean {
    const { perSecond, burst, most } = this.#options;
    const now = this.#options.now();
    const known = this.#buckets.get(key);
    const filled = known ? known.tokens + (Math.max(0, now - known.at) / 1000) * perSecond : burst;
    const tokens = Math.min(burst, filled);
    const taken = tokens >= 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: taken ? tokens - 1 : tokens, at: now });
    if (this.#buckets.size > most) this.#buckets.delete(this.#buckets.keys().next().value ?? key);
    return taken;
  }
}
