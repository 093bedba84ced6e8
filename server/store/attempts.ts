import { ContendedError } from './store.ts';

/**
 * Tries again what another write came between at first, until it is done.
 * @param attempts how often it may be tried, the first time among them
 * @param attempt gives undefined when another write came between again
 * @throws ContendedError when it never comes through
 */
export async function tryAgain<T>(
  key: string,
  attempts: number,
  attempt: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  for (let tried = 2; tried <= attempts; tried++) {
    const result = await attempt();
    if (result) return result;
  }
  throw new ContendedError(key, attempts);
}
