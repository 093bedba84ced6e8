import type { Clock } from '../time/clock.ts';

/** How old what was read may be, in milliseconds. */
const freshFor = 10_000;

/**
 * What `read` gives, read again when that is old: files are renewed under our feet. While it fails, what it gave before counts.
 * @throws what it throws at first
 */
export function freshly<T>(clock: Clock, read: () => T): () => T {
  let value = read();
  let readAt = clock.now();
  return () => {
    const now = clock.now();
    if (Math.abs(now - readAt) < freshFor) return value;
    readAt = now;
    try {
      value = read();
    } catch {
      // One file of several may be on its way yet.
    }
    return value;
  };
}
