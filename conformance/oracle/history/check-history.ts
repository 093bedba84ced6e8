import type { History, Violation } from './history.ts';
import { lostAtLast, lostUpdates, staleReads, tornLists, unsteadyVersions } from './object-promises.ts';
import { disagreeingWatchers, finalStates, repeatedOrLostEvents } from './watch-promises.ts';

type Check = (history: History) => readonly Violation[];

/** What a server promises to clients that work at once, in the order in which a breach explains the others. */
const promises: readonly Check[] = [
  lostUpdates,
  unsteadyVersions,
  tornLists,
  staleReads,
  repeatedOrLostEvents,
  disagreeingWatchers,
  finalStates,
  lostAtLast,
];

/** Every promise that a history breaks. Pure: versions are opaque to it, and only told apart. */
export const checkHistory = (history: History): readonly Violation[] => promises.flatMap((check) => check(history));
