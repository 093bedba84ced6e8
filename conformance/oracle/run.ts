import { type Divergence, duel, type Pair, signatureOf } from './compare/duel.ts';
import type { Scenario } from './play/scenario.ts';
import type { Patience } from './play/watching.ts';
import { type Shrunk, shrink } from './shrink.ts';

/** One way in which the judged server differs, with all that was seen of it. */
export interface Found {
  readonly signature: string;
  /** The name of the first scenario that showed it. */
  readonly scenario: string;
  readonly generator: string;
  /** How many answers differed in this way. */
  hits: number;
  readonly first: Divergence;
  /** Absent while it is looked for, and where the time for that was spent on others. */
  shrunk?: Shrunk;
}

export interface Campaign {
  readonly pair: Pair;
  readonly scenarios: Iterable<Scenario>;
  /** No scenario begins after that many milliseconds. */
  readonly budget: number;
  /** How many scenarios are under way at once. */
  readonly width: number;
  /** How many differences are shrunk, and how long each may take in milliseconds. */
  readonly shrinks: number;
  readonly shrinkLimit: number;
  readonly onProgress?: (counts: Counts) => void;
}

export interface Counts {
  comparisons: number;
  scenarios: number;
  /** Differences that did not show again when they were tried once more. */
  passing: number;
  /** Scenarios that broke off: their reasons. */
  readonly broken: string[];
}

export interface Outcome {
  readonly found: readonly Found[];
  readonly counts: Counts;
  /** Whether all scenarios were played before the time was spent. */
  readonly complete: boolean;
}

const hasty: Patience = { quiet: 150, mark: 2_000 };
/** Of many trials one may err; the next one counts. */
const brief: Patience = { quiet: 150, mark: 800 };
const patient: Patience = { quiet: 700, mark: 4_000 };
const mostBroken = 20;

/** Plays scenarios on both servers, several at once, and tries each difference again before it counts. */
export async function campaign(options: Campaign): Promise<Outcome> {
  const { pair, scenarios, budget, width, onProgress } = options;
  const found = new Map<string, Found>();
  const counts: Counts = { comparisons: 0, scenarios: 0, passing: 0, broken: [] };
  const deadline = performance.now() + budget;
  const queue = scenarios[Symbol.iterator]();
  let complete = false;

  async function work(): Promise<void> {
    while (performance.now() < deadline) {
      const next = queue.next();
      if (next.done) {
        complete = true;
        return;
      }
      await one(next.value).catch((error) => {
        if (counts.broken.length < mostBroken)
          counts.broken.push(`${next.value.name}: ${error instanceof Error ? error.message : error}`);
      });
      onProgress?.(counts);
    }
  }

  async function one(scenario: Scenario): Promise<void> {
    const divergences = await duel(pair, scenario, hasty);
    counts.scenarios++;
    counts.comparisons += scenario.steps.length;
    const fresh = groups(divergences).filter(([signature]) => !note(signature));
    if (fresh.length === 0) return;
    const again = await duel(pair, scenario, patient);
    for (const [signature, hits] of fresh) {
      const first = again.find((one) => signatureOf(one) === signature);
      if (!first) counts.passing++;
      else if (!note(signature))
        await keep(scenario, { signature, scenario: scenario.name, generator: scenario.generator, hits, first });
    }
  }

  /** Counts one more of what is known already. */
  function note(signature: string): boolean {
    const known = found.get(signature);
    if (known) known.hits++;
    return known !== undefined;
  }

  async function keep(scenario: Scenario, entry: Found): Promise<void> {
    const { signature, first } = entry;
    found.set(signature, entry);
    if (found.size > options.shrinks) return;
    const shrunk = await shrink(
      pair,
      scenario,
      { signature, step: first.step },
      {
        patience: brief,
        limit: options.shrinkLimit,
      },
    );
    if (shrunk) entry.shrunk = shrunk;
  }

  await Promise.all(Array.from({ length: width }, work));
  return { found: [...found.values()], counts, complete };
}

function groups(divergences: readonly Divergence[]): readonly (readonly [string, number])[] {
  const hits = new Map<string, number>();
  for (const one of divergences) hits.set(signatureOf(one), (hits.get(signatureOf(one)) ?? 0) + 1);
  return [...hits];
}
