import { clearInterval, setInterval } from 'node:timers';

/** Keeps the process alive until the work is done: it may have nothing but waits, and those keep no process alive. */
export async function awake<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 1000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
