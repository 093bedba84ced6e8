import { setTimeout as pause } from 'node:timers/promises';
import type { Side } from './play/side.ts';

/** For how long a server that gives no answer is asked again, and how often, in milliseconds: it may be starting again. */
const asking = { limit: 8_000, pause: 500, answer: 5_000 };

/** What is known of a server that does not answer any more; undefined where all of them do. */
export async function lostAmong(sides: readonly Side[]): Promise<string | undefined> {
  const found = await Promise.all(sides.map(silenceOf));
  return found.find((silence) => silence !== undefined);
}

async function silenceOf({ client, target, stopped }: Side): Promise<string | undefined> {
  const until = performance.now() + asking.limit;
  for (;;) {
    try {
      await client.send('GET', '/version', { limit: asking.answer });
      return undefined;
    } catch (error) {
      if (stopped.aborted || performance.now() >= until)
        return `${target.url} does not answer any more: ${error instanceof Error ? error.message : error}`;
      await pause(asking.pause);
    }
  }
}
