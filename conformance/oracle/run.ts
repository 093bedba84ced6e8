import type { Difference } from './compare/differ.ts';
import { alikeOf, type Divergence, signatureOf, sortOf } from './compare/duel.ts';
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
  /** What it is called together with others. */
  readonly sorts: readonly string[];
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
  /** Asked when a piece breaks off: why no other one can be played, if that is so. */
  readonly lost?: () => Promise<string | undefined>;
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
  /** Why it ended early: a server that does not answer any more, and what was under way. */
  readonly lost?: string;
}

const hasty: Patience = { quiet: 150, mark: 2_000 };
const patient: Patience = { quiet: 700, mark: 4_000 };
const mostBroken = 20;
const mostPassed = 20;
/** Differences of one sort, told apart by the field that a refusal is about, or by the kind; more of them count with the first. */
const mostAlike = 5;
const longestValue = 200;

/** Plays pieces on both servers, several at once, and tries each difference again before it counts. */
export async function campaign(options: CampaignOptions): Promise<Outcome> {
  const running = new Campaign(options);
  await Promise.all(Array.from({ length: options.width }, () => running.work()));
  const { found, counts, complete, lost } = running;
  return { found: [...found.values()], counts, complete: complete && !lost, ...(lost ? { lost } : {}) };
}

class Campaign {
  readonly found = new Map<string, Found>();
  readonly counts: Counts = { comparisons: 0, scenarios: 0, differing: 0, passing: 0, passed: [], broken: [] };
  complete = false;
  lost: string | undefined;
  readonly #underWay = new Set<Piece>();
  readonly #options: CampaignOptions;
  readonly #queue: Iterator<Piece>;
  readonly #deadline: number;

  constructor(options: CampaignOptions) {
    this.#options = options;
    this.#queue = options.pieces[Symbol.iterator]();
    this.#deadline = performance.now() + options.budget;
  }

  /** Takes one piece after another, until there are no more, the time is spent, or a server is lost. */
  async work(): Promise<void> {
    const { stopped, onProgress } = this.#options;
    while (performance.now() < this.#deadline && !stopped.aborted && !this.lost) {
      const next = this.#queue.next();
      if (next.done) {
        this.complete = true;
        return;
      }
      if (!(await this.#played(next.value))) return;
      onProgress?.(this.counts);
    }
  }

  /** Whether there is sense in another one. */
  async #played(piece: Piece): Promise<boolean> {
    this.#underWay.add(piece);
    try {
      await this.#compare(piece);
      return true;
    } catch (error) {
      if (error instanceof Stopped) return false;
      if (!(await this.#isLost())) this.#break(piece, error);
      return true;
    } finally {
      this.#underWay.delete(piece);
    }
  }

  /** Whether nothing can be played any more, for which the pieces that were under way may be the reason. */
  async #isLost(): Promise<boolean> {
    const names = [...this.#underWay].map(({ name }) => name).join('; ');
    const lost = await this.#options.lost?.();
    if (lost) this.lost ??= `${lost}. Under way were ${names}`;
    return lost !== undefined;
  }

  #break({ name }: Piece, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (this.counts.broken.length < mostBroken) this.counts.broken.push(`${name}: ${reason}`);
  }

  async #compare(piece: Piece): Promise<void> {
    const { divergences, answers } = await piece.compare(hasty);
    this.counts.scenarios++;
    this.counts.comparisons += answers;
    const fresh = groups(divergences).filter(({ one, hits }) => !this.#note(one, hits));
    if (fresh.length === 0) return;
    const again = (await piece.compare(patient)).divergences;
    if (again.some(isUnanswered) && (await this.#isLost())) return;
    for (const { one, hits } of fresh) {
      const signature = signatureOf(one);
      const first = again.find((other) => signatureOf(other) === signature);
      if (!first) this.#pass(piece, one);
      else if (!this.#note(first, hits)) await this.#keep({ signature, piece, hits, first, sorts: sortsOf(first) });
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

  /** Counts so many more of what is known already. */
  #note(one: Divergence, hits: number): boolean {
    const known = this.found.get(signatureOf(one)) ?? this.#firstOfMany(one);
    if (known) known.hits += hits;
    return known !== undefined;
  }

  /** The first of those that are of one sort with this one, or alike of other kinds, where enough are told already. */
  #firstOfMany(one: Divergence): Found | undefined {
    const names = sortsOf(one);
    const told = names.map((name) => [...this.found.values()].filter(({ sorts }) => sorts.includes(name)));
    return told.find(({ length }) => length >= mostAlike)?.[0];
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

const sortsOf = (one: Divergence): readonly string[] => [sortOf(one), alikeOf(one)];

const isUnanswered = ({ seen }: Divergence): boolean => seen.status === 0;

/** Those that are told apart, and how many there are of each. */
function groups(divergences: readonly Divergence[]): readonly { one: Divergence; hits: number }[] {
  const found = Map.groupBy(divergences, signatureOf);
  return [...found.values()].map((all) => ({ one: all[0] as Divergence, hits: all.length }));
}
