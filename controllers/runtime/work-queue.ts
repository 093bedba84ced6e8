import { type Backoff, jitteredWaitAfter, TokenBucket } from './backoff.ts';
import type { Cancel, Clock } from './clock.ts';

interface Parts {
  readonly clock: Clock;
  /** Does the work of a key. It answers after how many milliseconds to come back, if at all. A failure is tried again. */
  readonly work: (key: string) => Promise<number | undefined>;
  /** Keys worked on at once; a key is never worked on twice at once. */
  readonly concurrency?: number;
  readonly backoff?: Backoff;
  readonly onFailure?: (key: string, error: unknown) => void;
  readonly random?: () => number;
}

const defaultBackoff: Backoff = { first: 5, most: 300_000 };
/** Retries of all keys together: so many a second, and so many at once. */
const retryRate = { perSecond: 10, most: 100 };

/**
 * Keys that need work. A key added several times before its turn is worked on once; added while it is worked on, once
 * more afterwards; so work on a key is in order, and always begins after the last reason for it.
 */
export class WorkQueue {
  readonly #parts: Parts;
  readonly #ready = new Set<string>();
  readonly #working = new Set<string>();
  readonly #again = new Set<string>();
  readonly #later = new Map<string, { readonly at: number; readonly cancel: Cancel }>();
  readonly #failures = new Map<string, number>();
  /** Keys of which a retry waits for its turn, since they went well last. */
  readonly #retrying = new Set<string>();
  readonly #bucket: TokenBucket;
  readonly #idle = new Set<() => void>();
  #started = false;
  #stopped = false;
  added = 0;
  retried = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#bucket = new TokenBucket(retryRate.perSecond, retryRate.most, parts.clock.now());
  }

  /** Keys that wait for their turn now. */
  get depth(): number {
    return this.#ready.size;
  }

  /** Begins to work. Until then keys only gather. */
  start(): void {
    this.#started = true;
    this.#fill();
  }

  add(key: string): void {
    if (this.#stopped) return;
    this.added += 1;
    if (this.#working.has(key)) this.#again.add(key);
    else this.#ready.add(key);
    if (this.#started) queueMicrotask(() => this.#fill());
  }

  /** Adds the key then; if it is to be added earlier already, that stands. */
  addAfter(key: string, milliseconds: number): void {
    if (this.#stopped) return;
    const at = this.#parts.clock.now() + milliseconds;
    const waiting = this.#later.get(key);
    if (waiting && waiting.at <= at) return;
    waiting?.cancel();
    const cancel = this.#parts.clock.after(milliseconds, () => {
      this.#later.delete(key);
      this.#retrying.delete(key);
      this.add(key);
    });
    this.#later.set(key, { at, cancel });
  }

  /** Resolves when no key is ready or worked on; keys that are to be added later do not count. */
  idle(): Promise<void> {
    if (this.#ready.size + this.#working.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.add(resolve));
  }

  /** Takes nothing more. Resolves when the work that runs has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#ready.clear();
    this.#again.clear();
    for (const { cancel } of this.#later.values()) cancel();
    this.#later.clear();
    await this.idle();
  }

  #fill(): void {
    const { concurrency = 1 } = this.#parts;
    for (const key of this.#ready) {
      if (this.#working.size >= concurrency) return;
      this.#ready.delete(key);
      this.#working.add(key);
      void this.#work(key);
    }
  }

  async #work(key: string): Promise<void> {
    try {
      const again = await this.#parts.work(key);
      this.#failures.delete(key);
      this.#retrying.delete(key);
      if (again !== undefined) this.addAfter(key, again);
    } catch (error) {
      this.#parts.onFailure?.(key, error);
      this.#retry(key);
    }
    this.#working.delete(key);
    if (this.#again.delete(key)) this.#ready.add(key);
    this.#fill();
    if (this.#ready.size + this.#working.size > 0) return;
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }

  #retry(key: string): void {
    const { clock, backoff = defaultBackoff, random } = this.#parts;
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    this.retried += 1;
    // The one that waits already will do: a key that changes and fails all the time must not use up the turns of others.
    if (this.#retrying.has(key)) return;
    this.#retrying.add(key);
    this.addAfter(key, jitteredWaitAfter(failures, backoff, random) + this.#bucket.reserve(clock.now()));
  }
}
