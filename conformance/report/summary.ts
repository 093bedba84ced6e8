import { beyondTest } from '../catalogue/beyond-test.ts';
import { catalogue } from '../catalogue/catalogue.ts';
import type { RuleResult } from '../result.ts';
import type { Verdict } from '../rule.ts';
import { isBroken } from './causes.ts';

/** The whole of a run, as the reports get it. */
export interface RunReport {
  readonly target: string;
  readonly version: string;
  /** What the target claims to keep. */
  readonly profiles: readonly string[];
  /** In how many of its cells a general rule was judged at most; in all where it is missing. */
  readonly cellsAtMost?: number;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly results: readonly RuleResult[];
  /** Faults of the suite that belong to no rule. */
  readonly errors: readonly string[];
  /** What curl has to be told of the target; `$CA`, `$CERT` and `$KEY` stand for PEM files. */
  readonly curlOptions: readonly string[];
  /** What the run has made and could not remove again, with the reason. */
  readonly left: readonly string[];
  readonly coverage: Coverage;
  /** Of the broken rules those that were known to be, each with the reason why they may be so for now. */
  readonly known?: Readonly<Record<string, string>>;
  /** The rules that were expected to be broken and are kept: they are to be taken off the list. */
  readonly stale?: readonly string[];
}

/** A run that judged another party than a server: nothing is said of the catalogue as a whole. */
export type PartyReport = Omit<RunReport, 'coverage'>;

/** How much of the documents is checked at all; every documented rule counts in one of the others. */
export interface Coverage {
  readonly documented: number;
  /** By this suite. */
  readonly withCheck: number;
  /** By the judges of other parties than servers alone. */
  readonly elsewhere: number;
  /** That no test can judge, each for a reason of its own. */
  readonly notObservable: number;
  /** Whose check has yet to be written. */
  readonly withoutCheck: number;
}

export const verdicts: readonly Verdict[] = ['pass', 'fail', 'warn', 'skipped', 'error'];

export type Counts = Readonly<Record<Verdict, number>>;

export interface ChapterSummary {
  readonly chapter: string;
  readonly counts: Counts;
  readonly documented: number;
  readonly withCheck: number;
}

export function countVerdicts(results: readonly RuleResult[]): Counts {
  const counts = { pass: 0, fail: 0, warn: 0, skipped: 0, error: 0 };
  for (const { verdict } of results) counts[verdict] += 1;
  return counts;
}

/** @param elsewhere the rules that other judges have, by id */
export function coverageOf(checked: ReadonlySet<string>, elsewhere: ReadonlyMap<string, string> = new Map()): Coverage {
  const without = catalogue.filter(({ id }) => !checked.has(id));
  const open = without.filter(({ id }) => !elsewhere.has(id));
  const beyond = open.filter(({ id }) => beyondTest[id] !== undefined);
  return {
    documented: catalogue.length,
    withCheck: catalogue.length - without.length,
    elsewhere: without.length - open.length,
    notObservable: beyond.length,
    withoutCheck: open.length - beyond.length,
  };
}

/** Chapters in the order of the catalogue, then those that are not of it; only those that had rules to run. */
export function byChapter(results: readonly RuleResult[], checked: ReadonlySet<string>): ChapterSummary[] {
  const chapters = [...new Set([...catalogue, ...results].map(({ chapter }) => chapter))];
  return chapters.flatMap((chapter) => {
    const own = results.filter((result) => result.chapter === chapter);
    if (own.length === 0) return [];
    const documented = catalogue.filter((entry) => entry.chapter === chapter);
    return [
      {
        chapter,
        counts: countVerdicts(own),
        documented: documented.length,
        withCheck: documented.filter(({ id }) => checked.has(id)).length,
      },
    ];
  });
}

/** 0: nothing is broken. 1: something is. 4: nothing is, but something that was claimed could not be judged. */
export function exitCodeOf({ results, errors }: Pick<RunReport, 'results' | 'errors'>): number {
  if (errors.length > 0 || results.some(isBroken)) return 1;
  return results.some(({ leftOut }) => leftOut === true) ? 4 : 0;
}
