import { Breach } from '../breach.ts';

/** How often what only reads is asked for on a line that breaks. */
const mostTries = 3;

const broken: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

const isBroken = (error: unknown): boolean =>
  error instanceof Breach && error.kind === 'connection' && broken.has((error.cause as NodeJS.ErrnoException)?.code);

/**
 * Asks again where the line breaks before an answer has come, as clients do: a bad one says nothing of the server, and who
 * hangs up for a reason does so again. Only what reads: whether a write was done is not known.
 */
export async function onceMore<T>(method: string, ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await ask();
    } catch (error) {
      if (tries >= mostTries || method !== 'GET' || !isBroken(error)) throw error;
    }
}
