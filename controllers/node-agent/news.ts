import type { Note } from '../runtime/events.ts';

/** Why something of a pod is told, and what. */
export type News = readonly [reason: string, message: string];

export const begins = (container: string): News => ['Started', `Started container ${container}`];
export const stops = (container: string): News => ['Killing', `Stopping container ${container}`];
/** @param wait milliseconds until it begins again */
export const backsOff = (container: string, wait: number): News => [
  'BackOff',
  `back-off ${wait / 1000}s restarting failed container=${container}`,
];

const asItShouldBe = new Set(['Started', 'Killing']);

/** The event that tells it: a warning, unless a pod is doing what it should. */
export const noteOf = ([reason, note]: News): Note => ({
  ...(!asItShouldBe.has(reason) && { type: 'Warning' }),
  reason,
  action: 'Running',
  note,
});
