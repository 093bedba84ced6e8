import { burstPromises, checkBurst } from './history/burst.ts';
import { checkHistory } from './history/check-history.ts';
import { recordHistory } from './history/record.ts';
import { type BurstKind, recordBursts } from './history/record-bursts.ts';
import type { OwnWords } from './play/play.ts';
import type { Side } from './play/side.ts';

/** A promise to clients that work at once, broken. */
export interface Broken {
  readonly promise: string;
  readonly what: string;
  /** In how many histories. */
  hits: number;
}

/** What the histories showed. */
export interface Strained {
  readonly promises: readonly Broken[];
  /** Why a history was not recorded to its end: nothing is known of it. */
  readonly brokenOff: readonly string[];
}

const effort = { clients: 8, calls: 40, names: 4 };

export interface StrainOptions {
  readonly seed: number;
  /** How many histories at most. */
  readonly rounds: number;
  /** No call begins after that many milliseconds. */
  readonly budget: number;
  /** Whose objects several clients write to at the same moment. */
  readonly burstKinds: readonly BurstKind[];
}

/** How many objects of each kind are written to at the same moment. */
const burstTimes = 8;

/** Records bursts and histories of clients at work on the judged server, one after another, and gives each promise they break. */
export async function strain(side: Side, ownWords: OwnWords, options: StrainOptions): Promise<Strained> {
  const { seed, rounds, budget, burstKinds } = options;
  const deadline = performance.now() + budget;
  const isOver = (): boolean => side.stopped.aborted || performance.now() >= deadline;
  const broken = new Map<string, Broken>();
  const brokenOff: string[] = [];
  const note = (violation: Violation): void => count(broken, violation);
  const breakOff = (error: Error): void => void brokenOff.push(`clients at once: ${error.message}`);
  for (const kind of burstKinds) {
    const bursts = recordBursts(side, kind, `${ownWords()}-1`, { times: burstTimes, isOver }).catch(breakOff);
    for (const violation of ((await bursts) ?? []).map(checkBurst)) if (violation) note(violation);
  }
  for (let round = 0; round < rounds && !isOver(); round++) {
    const recorded = recordHistory(side, `${ownWords()}-1`, { ...effort, seed: seed + round, isOver });
    const history = await recorded.catch(breakOff);
    for (const violation of history ? checkHistory(history) : []) note(violation);
  }
  return { promises: [...broken.values()], brokenOff };
}

type Violation = Omit<Broken, 'hits'>;

function count(broken: Map<string, Broken>, { promise, what }: Violation): void {
  const known = broken.get(promise);
  if (known) known.hits++;
  else broken.set(promise, { promise, what, hits: 1 });
}

/** The documented rules behind each promise. */
export const rulesBehindPromise: Readonly<Record<string, readonly string[]>> = {
  [burstPromises.one]: ['verbs.create', 'rv.object'],
  [burstPromises.all]: ['verbs.patch', 'rv.object'],
  'optimistic locking loses no update': ['rv.object', 'verbs.update'],
  'a version names one state': ['rv.object', 'meta.resource-version'],
  'versions of an object only grow': ['rv.object', 'meta.resource-version'],
  'a list is a snapshot': ['service.lists-consistent', 'rv.list'],
  'each change is told once': ['service.changes-announced-by-watch', 'watch.stream'],
  'each change is told in order': ['service.changes-announced-by-watch', 'watch.type'],
  'each change is told': ['service.changes-announced-by-watch'],
  'all watchers are told the same': ['watch.resume', 'service.list-then-watch-tracks-state'],
  'a list and a watch make the final state': ['service.list-then-watch-tracks-state'],
};
