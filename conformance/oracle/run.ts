import type { Difference } from './compare/differ.ts';
import { type Divergence, signatureOf } from './compare/duel.ts';
import type { Piece } from './piece.ts';
import { Stopped } from './play/play.ts';
import type { Patience } from './play/watching.ts';
import type { Shrunk } from './shrink.ts';

/** One way in which the judged server differs, with all that was seen of it. */
export interface Found {
  readonly signature: string;
  /** The first that showed it. */
  readonly piece: Piece;
  /** How many answers differed in this way. */
  hits: number;
  readonly first: Divergence;
  /** Absent while it is looked for, and where there are too many others. */
  shrunk?: Shrunk;
}

export interface CampaignOptions {
  readonly pieces: Iterable<Piece>;
  /** No piece begins once it is aborted. */
  readonly stopped: AbortSignal;
  /** No piece begins after that many milliseconds. */
  readonly budget: number;
  /** How many pieces are under way at once. */
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
  /** The first of those: what differed, and in which piece. */
  readonly passed: string[];
  /** What broke off, and why. */
  readonly broken: string[];
}

export interface Outcome {
  readonly found: readonly Found[];
  readonly counts: Counts;
  /** Whether all was played before the time was spent. */
  readonly complete: boolean;
}

const hasty: Patience = { quiet: 150, mark: 2_000 };
const patient: Patience = { quiet: 700, mark: 4_000 };
const mostBroken = 20;
const mostPassed = 20;
const longestValue = 200;

/** Plays pieces on both servers, several at once, and tries each difference again before it counts. */
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
  readonly #queue: Iterator<Piece>;
  readonly #deadline: number;

  constructor(options: CampaignOptions) {
    this.#options = options;
    this.#queue = options.pieces[Symbol.iterator]();
    this.#deadline = performance.now() + options.budget;
  }

  /** Takes one piece after another, until there are no more or the time is spent. */
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

  async #compare(piece: Piece): Promise<void> {
    const { divergences, answers } = await piece.compare(hasty);
    this.counts.scenarios++;
    this.counts.comparisons += answers;
    const fresh = groups(divergences).filter(([signature]) => !this.#note(signature));
    if (fresh.length === 0) return;
    const again = (await piece.compare(patient)).divergences;
    for (const [signature, hits] of fresh) {
      const first = again.find((one) => signatureOf(one) === signature);
      if (!first) this.#pass(piece, divergences.find((one) => signatureOf(one) === signature) as Divergence);
      else if (!this.#note(signature)) await this.#keep({ signature, piece, hits, first });
    }
  }

  #pass({ name }: Piece, one: Divergence): void {
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

  async #keep(entry: Found): Promise<void> {
    const { shrinks, shrinkLimit } = this.#options;
    const { signature, piece, first } = entry;
    this.found.set(signature, entry);
    this.counts.differing = this.found.size;
    if (this.found.size > shrinks) return;
    const shrunk = await piece.shrink?.(first, shrinkLimit);
    if (shrunk) entry.shrunk = shrunk;
  }
}

function groups(divergences: readonly Divergence[]): readonly (readonly [string, number])[] {
  const hits = new Map<string, number>();
  for (const one of divergences) hits.set(signatureOf(one), (hits.get(signatureOf(one)) ?? 0) + 1);
  return [...hits];
}
