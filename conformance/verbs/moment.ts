import type { Expect } from '../assertions.ts';
import type { Answer, Send } from './client.ts';

/** Milliseconds by which a time may be off. */
const tolerance = 10_000;

/** A moment as a Time: to the second, in UTC. @param at milliseconds since the epoch; missing: now */
export const timeOf = (at: number = Date.now()): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** An answer with the time, in milliseconds since the epoch, that the server says it was, and how long it took. */
export interface Timed {
  readonly answer: Answer;
  readonly at: number;
  readonly took: number;
}

export async function timed(request: Promise<Answer>): Promise<Timed> {
  const begun = performance.now();
  const answer = await request;
  const at = Date.parse(answer.headers['date'] ?? new Date().toUTCString());
  return { answer, at, took: performance.now() - begun };
}

/** What time it is by the clock of the server, which may be another than ours, in milliseconds since the epoch. */
export const nowOn = async (send: Send): Promise<number> => (await timed(send('GET', '/version'))).at;

/** The time is one while the server worked on the answer, by its own clock, and told to the second, in UTC. */
export function expectDuring(expect: Expect, { at, took }: Timed, time: string, what: string): void {
  expect(time, what).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const since = at - Date.parse(time);
  expect(since, `milliseconds from ${what} to its answer`).toBeLessThan(tolerance + took);
  expect(since, `milliseconds from ${what} to its answer`).toBeGreaterThan(-tolerance);
}
