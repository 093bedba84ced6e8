import { waitAfter } from '../runtime/backoff.ts';

/** Milliseconds. */
const backoff = { first: 10_000, most: 300_000 };

/** Milliseconds before a container begins again that has ended so often in a row: none the first time, then more and more. */
export const restartWait = (ends: number): number => (ends <= 1 ? 0 : waitAfter(ends - 1, backoff));
