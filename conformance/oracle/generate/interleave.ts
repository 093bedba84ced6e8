import type { Scenario } from '../play/scenario.ts';

/** One of each in turn, until all are told out. */
export function* interleaved<T>(sources: readonly Iterable<T>[]): Generator<T> {
  let running = sources.map((source) => source[Symbol.iterator]());
  while (running.length > 0) {
    const still: Iterator<T>[] = [];
    for (const source of running) {
      const { done, value } = source.next();
      if (done) continue;
      still.push(source);
      yield value;
    }
    running = still;
  }
}

/** Some of the work, and how much of all steps it is meant to be. */
export interface Share {
  readonly share: number;
  readonly scenarios: Iterable<Scenario>;
}

/** Always one of those that have had the fewest steps for their share, until all are told out. */
export function* inShares(shares: readonly Share[]): Generator<Scenario> {
  let running = shares.map(({ share, scenarios }) => ({ share, told: 0, queue: scenarios[Symbol.iterator]() }));
  while (running.length > 0) {
    const next = running.reduce((one, other) => (other.told < one.told ? other : one));
    const { done, value } = next.queue.next();
    if (done) {
      running = running.filter((one) => one !== next);
      continue;
    }
    next.told += value.steps.length / next.share;
    yield value;
  }
}
