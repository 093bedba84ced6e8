import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers';

/** Takes back a callback that has not run yet. */
export type Cancel = () => void;

/** Waiting as an argument, so that tests need not sleep. Times are milliseconds. */
export interface Timers {
  /** Calls back once. */
  after(milliseconds: number, callback: () => void): Cancel;
  /** Calls back again and again. */
  every(milliseconds: number, callback: () => void): Cancel;
  /** Calls back once what runs now has ended, input that has arrived included. */
  soon(callback: () => void): void;
}

/** The longest wait that Node's timers know; longer ones would fire at once. */
const longest = 2 ** 31 - 1;

/**
 * Timers of the event loop, none of which keeps the process alive. Imported, here and elsewhere: those of the global object
 * are the tests' in whose process a server may be, and may stand still there.
 */
export const systemTimers: Timers = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, longest)).unref();
    return () => clearTimeout(timer);
  },
  every(milliseconds, callback) {
    const timer = setInterval(callback, Math.min(milliseconds, longest)).unref();
    return () => clearInterval(timer);
  },
  soon: setImmediate,
};

/** Resolves when so many milliseconds are over. */
export const pause = (timers: Timers, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    timers.after(milliseconds, resolve);
  });
