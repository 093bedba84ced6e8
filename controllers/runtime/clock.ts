import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';

/** Takes back a callback that has not run yet. */
export type Cancel = () => void;

/** Time as an argument, so that tests need not sleep. Times are milliseconds. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once, after so many milliseconds. */
  after(milliseconds: number, callback: () => void): Cancel;
}

/** The longest wait that Node's timers know; longer ones would fire at once. */
const longest = 2 ** 31 - 1;

/** The clock on the wall. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(0, milliseconds), longest)).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Milliseconds since some moment, by a clock that nobody sets: how long others have been silent is measured so, and does not
 * jump with the time of day.
 */
export const elapsed = (): number => performance.now();

/** Keeps the process alive until the signal is aborted: whoever waits for a server that is away has nothing else that does. */
export function stayAlive(signal: AbortSignal): void {
  if (signal.aborted) return;
  const timer = setInterval(() => {}, longest);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/** Resolves after so many milliseconds, or at once when the signal is aborted. */
export function pause(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal?.addEventListener('abort', end);
  });
}

/** RFC 3339 in UTC with whole seconds, the form of every `Time` field. */
export const formatTime = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** RFC 3339 in UTC with six fraction digits, the form of every `MicroTime` field. */
export const formatMicroTime = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 23)}000Z`;
