import { setTimeout } from 'node:timers/promises';
import type { Request } from '../load.ts';
import { Line, type Place } from './line.ts';

/** What an asker is to ask, one after the other. */
export interface Errand {
  readonly place: Place;
  readonly requests: readonly Request[];
  /** Milliseconds between two. */
  readonly pause: number;
}

/** What it says in the end: milliseconds of each request. */
export interface Asked {
  readonly times: readonly number[];
}

/**
 * A process of its own that takes the time of requests: where others ask very much in the same one, what
 * they do with their answers would count as well. Its errand comes as JSON.
 */
const { place, requests, pause } = JSON.parse(process.argv[2] ?? '') as Errand;
const line = await Line.open(place);
const times: number[] = [];
for (const request of requests) {
  const begun = performance.now();
  await line.ask(request);
  times.push(performance.now() - begun);
  await setTimeout(pause);
}
line.close();
process.send?.({ times } satisfies Asked);
