import type { Difference } from './compare/differ.ts';
import { type Divergence, duel, type Pair, signatureOf } from './compare/duel.ts';
import { Stopped } from './play/play.ts';
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
  /** Absent while it is looked for, and where there are too many others. */
  shrunk?: Shrunk;
}

export interface CampaignOptions {
  readonly pair: Pair;
  readonly scenarios: Iterable<Scenario>;
  /** No scenario begins once it is aborted. */
  readonly stopped: AbortSignal;
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
  /** Ways of differing that were found. */
  differing: number;
  /** Differences that did not show again when they were tried once more. */
  passing: number;
  /** The first of those: what differed, and in which scenario. */
  readonly passed: string[];
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
const mostPassed = 20;
const longestValue = 200;

/** Plays scenarios on both servers, several at once, and tries each difference again before it counts. */
export async function campaign(options: CampaignOptions): Promise<Outcome> {
  const running = new Campaign(options);
  await Promise.all(Array.from({ length: options.width }, () => running.work()));
  return { found: [...running.found.values()], counts: running.counts, complete: running.complete };
}

class Campaign {
  readonly found = new Map<string, Found>();
  readonly counts: Counts = { comparisons: 0, scenarios: 0, differing: 0, passing: 0, passed: [], broken: [] };
  complete = false;
  readonly #options: CampaignOptions;
  readonly #queue: Iterator<Scenario>;
  readonly #deadline: number;

  constructor(options: CampaignOptions) {
    this.#options = options;
    this.#queue = options.scenarios[Symbol.iterator]();
    this.#deadline = performance.now() + options.budget;
  }

  /** Takes one scenario after another, until there are no more or the time is spent. */
  async work(): Promise<void> {
    while (performance.now() < this.#deadline && !this.#options.stopped.aborted) {
      const next = this.#queue.next();
      if (next.done) {
        this.complete = true;
        return;
      }
      try {
        await this.#compare(next.value);
      } catch (error) {
        if (error instanceof Stopped) return;
        const reason = error instanceof Error ? error.message : String(error);
        if (this.counts.broken.length < mostBroken) this.counts.broken.push(`${next.value.name}: ${reason}`);
      }
      this.#options.onProgress?.(this.counts);
    }
  }

  async #compare(scenario: Scenario): Promise<void> {
    const divergences = await duel(this.#options.pair, scenario, hasty);
    this.counts.scenarios++;
    this.counts.comparisons += scenario.steps.length;
    const fresh = groups(divergences).filter(([signature]) => !this.#note(signature));
    if (fresh.length === 0) return;
    const again = await duel(this.#options.pair, scenario, patient);
    for (const [signature, hits] of fresh) {
      const first = again.find((one) => signatureOf(one) === signature);
      if (!first) this.#pass(scenario, divergences.find((one) => signatureOf(one) === signature) as Divergence);
      else if (!this.#note(signature))
        await this.#keep(scenario, { signature, scenario: scenario.name, generator: scenario.generator, hits, first });
    }
  }

  #pass({ name }: Scenario, one: Divergence): void {
    const { at, seen, expected } = one.differences[0] as Difference;
    const values = [seen, expected].map((value) => (JSON.stringify(value) ?? 'nothing').slice(0, longestValue));
    this.counts.passing++;
    if (this.counts.passed.length < mostPassed)
      this.counts.passed.push(
        `${signatureOf(one)} (${name}, ${one.step.id}): ${at} ${values.join(', where the other says ')}`,
      );
  }

  /** Counts one more of what is known already. */
  #note(signature: string): boolean {
    const known = this.found.get(signature);
    if (known) known.hits++;
    return known !== undefined;
  }

  async #keep(scenario: Scenario, entry: Found): Promise<void> {
    const { pair, shrinks, shrinkLimit: limit } = this.#options;
    const { signature, first } = entry;
    this.found.set(signature, entry);
    this.counts.differing = this.found.size;
    if (this.found.size > shrinks) return;
    entry.shrunk = await shrink(pair, scenario, first, { patience: brief, limit });
  }
}

function groups(divergences: readonly Divergence[]): readonly (readonly [string, number])[] {
  const hits = new Map<string, number>();
  for (const one of divergences) hits.set(signatureOf(one), (hits.get(signatureOf(one)) ?? 0) + 1);
  return [...hits];
}
