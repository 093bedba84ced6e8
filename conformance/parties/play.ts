import type { PartyReport } from '../report/summary.ts';
import { brokenResult, findingOf, type Outcome, type RuleResult, resultOf } from '../result.ts';
import { within } from '../verbs/wait-until.ts';
import type { Party, PartyRule, PartyRun } from './party.ts';

export interface PlayOptions {
  /** Milliseconds one rule may take. */
  readonly timeout: number;
  /** How many rules run at once. */
  readonly workers: number;
  /** Keep the exchanges of a pass, too. */
  readonly verbose: boolean;
  /** Told of each rule as soon as it ends. */
  readonly onResult?: (result: RuleResult) => void;
}

/** Milliseconds for what a rule leaves behind. */
const clearingLimit = 10_000;

/** Plays rules on a candidate, several at once, and gives the whole report with the results in the order of the rules. */
export async function playParty<T, C>(
  party: Pick<Party<T, C>, 'name' | 'open'>,
  candidate: T,
  rules: readonly PartyRule<C>[],
  options: PlayOptions,
): Promise<PartyReport> {
  const started = Date.now();
  const results: RuleResult[] = [];
  const left = rules.entries();
  const work = async (): Promise<void> => {
    for (const [index, rule] of left) {
      const result = await judgeParty(party, candidate, rule, options);
      results[index] = result;
      options.onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.workers, rules.length) }, work));
  const [startedAt, milliseconds] = [new Date(started).toISOString(), Date.now() - started];
  return {
    target: party.name,
    version: '',
    profiles: [],
    startedAt,
    milliseconds,
    results,
    errors: [],
    curlOptions: [],
  };
}

/** Judges a candidate by one rule. Never throws. */
export async function judgeParty<T, C>(
  { open }: Pick<Party<T, C>, 'open'>,
  candidate: T,
  rule: PartyRule<C>,
  { timeout, verbose }: Pick<PlayOptions, 'timeout' | 'verbose'>,
): Promise<RuleResult> {
  const undoings: (() => unknown)[] = [];
  const release = (undo: () => unknown): void => void undoings.push(undo);
  const run: PartyRun = { ruleId: rule.id, exchanges: [], warnings: [], release };
  const started = performance.now();
  try {
    const outcome = await attempt(timeout, async () => rule.check(await open(candidate, run)));
    const milliseconds = Math.round(performance.now() - started);
    return resultOf(rule, { ...run, requests: () => run.exchanges.length }, outcome, milliseconds, verbose);
  } catch (error) {
    return brokenResult(rule, findingOf(error));
  } finally {
    for (const undo of undoings.reverse())
      await within(clearingLimit, 'the clean-up', Promise.resolve().then(undo)).catch(() => undefined);
  }
}

async function attempt(timeout: number, check: () => Promise<void>): Promise<Outcome> {
  try {
    await within(timeout, 'the whole rule', check());
    return { cells: [] };
  } catch (error) {
    return { thrown: error ?? new Error('thrown without a reason'), cells: [] };
  }
}
