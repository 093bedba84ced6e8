import { secretsPath } from '../answers.ts';
import type { ClientProcess } from '../client-process.ts';
import type { ClientContext, Whim } from '../context.ts';
import type { Seen } from '../scripted-server.ts';
import { keeping } from './keeping.ts';

/** Milliseconds for which requests are counted. */
export const counted = 6_000;

/** How many requests came within the time, from now on. */
export async function countRequests({ pause, server }: ClientContext): Promise<readonly Seen[]> {
  const began = performance.now();
  await pause(counted);
  return server.seen.filter(({ at, path }) => at >= began && path === secretsPath);
}

/** More than so many requests in six seconds are hammering: waits that begin with 10 ms and double need ten. */
export const mostRequests = 30;

/** Answers a client that watches in this way for a while, in which it may ask so many times at most; then all is well. */
export async function inTrouble(context: ClientContext, trouble: Whim, most: number): Promise<ClientProcess> {
  const client = await keeping(context);
  let isOver = false;
  context.whim((seen) => (isOver ? undefined : trouble(seen)));
  context.endWatches();
  const requests = await countRequests(context);
  context.expect(requests.length, `requests in ${counted / 1000} s`).toBeLessThanOrEqual(most);
  isOver = true;
  return client;
}
