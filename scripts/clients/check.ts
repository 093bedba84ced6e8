// Whether each client does on its tour what it should: for machines that build, where little may be at hand, and soon.
import type { Adapter } from './adapters.ts';
import { tour } from './tour.ts';
import { NotToBeHad, openWorkshop, type Workshop } from './workshop.ts';

/** What became of one client. */
interface Outcome {
  readonly isWell: boolean;
  readonly said: string;
}

/**
 * Sends clients on their tours and prints a line for each. Who cannot be had, or not in so many milliseconds, is left out;
 * a tour that has begun goes on to its own limit. Gives whether nothing went wrong.
 */
export async function checkTours(
  adapters: readonly Adapter[],
  within: number,
  print: (line: string) => void,
  go: typeof tour = tour,
): Promise<boolean> {
  const workshop = openWorkshop(AbortSignal.timeout(within));
  const width = Math.max(...adapters.map(({ name }) => name.length));
  const outcomes: Promise<Outcome>[] = [];
  for (const { name, command } of adapters) {
    const ready = await made(command, workshop);
    // While one is on its tour the next is made ready.
    await outcomes.at(-1);
    outcomes.push(
      outcomeOf(ready, go).then((outcome) => {
        print(`${name.padEnd(width)}  ${outcome.said}`);
        return outcome;
      }),
    );
  }
  return (await Promise.all(outcomes)).every(({ isWell }) => isWell);
}

type Made = readonly string[] | Error;

const made = (command: Adapter['command'], workshop: Workshop): Promise<Made> =>
  command(workshop).catch((error: Error) => error);

async function outcomeOf(ready: Made, go: typeof tour): Promise<Outcome> {
  if (ready instanceof NotToBeHad) return { isWell: true, said: `left out: ${ready.message}` };
  if (ready instanceof Error) return { isWell: false, said: `cannot be made: ${ready.message}` };
  const toured = await go(ready);
  if (!toured) return { isWell: true, said: 'goes on no tour' };
  const wrong = [...toured].filter(([, what]) => what !== '');
  if (wrong.length === 0) return { isWell: true, said: `${toured.size} topics` };
  return { isWell: false, said: wrong.map(([topic, what]) => `${topic}: ${what}`).join('; ') };
}
