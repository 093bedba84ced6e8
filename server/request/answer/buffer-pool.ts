/** Buffers below this are cheap to make, and are made. In bytes, as all sizes here. */
const smallest = 128 * 1024;
/** Sizes are rounded up to these steps, so that lists that grow a little find a buffer again. */
const step = 256 * 1024;

export interface BufferPoolOptions {
  /** What idle buffers may take together. Default 64 MiB. */
  readonly atMost?: number;
}

/**
 * Large buffers that are used again and again: memory outside of the heap that comes and goes with each long list makes
 * the collector walk all objects of the server to find it.
 */
export class BufferPool {
  readonly #atMost: number;
  readonly #idle: Buffer[] = [];
  #held = 0;

  constructor({ atMost = 64 * 1024 * 1024 }: BufferPoolOptions = {}) {
    this.#atMost = atMost;
  }

  /** A buffer of at least this size, with anything in it. */
  take(size: number): Buffer {
    if (size < smallest) return Buffer.allocUnsafe(size);
    // The smallest that fits; one that is far too large is kept for others.
    let best = -1;
    for (const [at, { length }] of this.#idle.entries()) {
      const fits = length >= size && length <= 4 * size;
      if (fits && (best < 0 || length < (this.#idle[best]?.length ?? 0))) best = at;
    }
    const [found] = best < 0 ? [] : this.#idle.splice(best, 1);
    if (!found) return Buffer.allocUnsafeSlow(Math.ceil(size / step) * step);
    this.#held -= found.length;
    return found;
  }

  /** Gives back what `take` gave, once nobody reads it any more. */
  give(buffer: Buffer): void {
    if (buffer.length < smallest || buffer.length > this.#atMost) return;
    this.#idle.push(buffer);
    this.#held += buffer.length;
    // Those that wait longest go first.
    while (this.#held > this.#atMost) this.#held -= this.#idle.shift()?.length ?? 0;
  }

  /** What idle buffers take together. */
  get held(): number {
    return this.#held;
  }
}
