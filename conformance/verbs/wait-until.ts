import { setTimeout as sleep } from 'node:timers/promises';
import { Breach, Skipped } from './breach.ts';

export interface WaitOptions {
  /** Milliseconds before giving up. */
  readonly limit?: number;
  /** Milliseconds between two looks. */
  readonly interval?: number;
  /** Whether what is waited for can no longer come: the next look is the last. */
  readonly isOver?: () => boolean;
}

const describe = (seen: unknown): string => {
  const text = typeof seen === 'string' ? seen : JSON.stringify(seen);
  return text === undefined ? 'nothing' : text.slice(0, 500);
};

/** How many times its limit a wait may last at most. */
const longest = 3;

/**
 * Looks again and again until `accept` holds for what is seen, and gives that back. The time that looking takes does not
 * count: a server that is slow to answer is slow to do what is waited for.
 * Throws a Breach that tells what was awaited and what was last seen.
 */
export async function waitUntil<T>(
  what: string,
  look: () => Promise<T>,
  accept: (seen: T) => boolean,
  { limit = 5_000, interval = 50, isOver = () => false }: WaitOptions = {},
): Promise<T> {
  const begun = performance.now();
  for (let waited = 0; ; waited += interval) {
    const isLast = isOver();
    const seen = await look();
    if (accept(seen)) return seen;
    const lasted = Math.round(performance.now() - begun);
    if (isLast || waited >= limit || lasted >= longest * limit)
      throw new Breach('assertion', `waited ${lasted} ms until ${what}; last seen: ${describe(seen)}`);
    await sleep(interval);
  }
}

/** Milliseconds within which servers behind one address have all heard of what one of them knows. */
const hearing = 1_000;

/** Waits until all of so many servers have heard of what one of them knows. */
export async function allHeard(servers = 1): Promise<void> {
  if (servers > 1) await sleep(hearing);
}

/** Rejects with a Breach when the promise does not settle within `limit` milliseconds. */
export async function within<T>(limit: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Breach('timeout', `waited ${limit} ms for ${what}`)), limit);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects with Skipped as soon as the signal says that the run was ended; what has not begun by then does not begin. */
export async function unlessEnded<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (!signal) return work();
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(new Skipped('the run was ended'));
  signal.addEventListener('abort', end, { once: true });
  try {
    if (signal.aborted) end();
    return await Promise.race(signal.aborted ? [promise] : [promise, work()]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
