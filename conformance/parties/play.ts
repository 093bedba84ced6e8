import { atOnce } from '../at-once.ts';
import type { PartyReport } from '../report/summary.ts';
import { brokenResult, findingOf, type Outcome, type RuleResult, resultOf } from '../result.ts';
import { afterSecondLook, worthSecondLook } from '../runner/second-look.ts';
import { unlessEnded, within } from '../verbs/wait-until.ts';
import type { Party, PartyRule, PartyRun } from './party.ts';

export interface PlayOptions {
  /** Milliseconds one rule may take. */
  readonly timeout: number;
  /** How many rules run at once. */
  readonly workers: number;
  /** Keep the exchanges of a pass, too. */
  readonly verbose: boolean;
  /** Ends all that is being judged; only what undoes it still runs. */
  readonly signal?: AbortSignal;
  /** Told of how many broken rules are judged again, one at a time; without it none is. */
  readonly onSecondLook?: (count: number) => void;
  /** Told of each rule as soon as it ends. */
  readonly onResult?: (result: RuleResult) => void;
}

/** Milliseconds for what a rule leaves behind. */
const clearingLimit = 10_000;

/** Plays rules on a candidate, several at once, and gives the whole report with the results in the order of the rules. */
export async function playParty<T, C>(
  party: Pick<Party<T, C>, 'name' | 'called' | 'open'>,
  candidate: T,
  rules: readonly PartyRule<C>[],
  options: PlayOptions,
): Promise<PartyReport> {
  const started = Date.now();
  const first = await atOnce(options.workers, rules, async (rule) => {
    const result = await judgeParty(party, candidate, rule, options);
    options.onResult?.(result);
    return result;
  });
  const again = options.onSecondLook && options.workers > 1 && !options.signal?.aborted ? worthSecondLook(first) : [];
  if (again.length > 0) options.onSecondLook?.(again.length);
  const results = await atOnce(1, first, async (result, index) => {
    const rule = again.includes(result.id) ? rules[index] : undefined;
    return rule ? afterSecondLook(result, await judgeParty(party, candidate, rule, options)) : result;
  });
  const [startedAt, milliseconds] = [new Date(started).toISOString(), Date.now() - started];
  return {
    target: `${party.name} ${party.called(candidate)}`,
    version: '',
    profiles: [],
    startedAt,
    milliseconds,
    results,
    errors: [],
    curlOptions: [],
    left: results.flatMap((result) => result.left ?? []),
  };
}

/** Judges a candidate by one rule. Never throws. */
export async function judgeParty<T, C>(
  { open }: Pick<Party<T, C>, 'open'>,
  candidate: T,
  rule: PartyRule<C>,
  options: Pick<PlayOptions, 'timeout' | 'verbose' | 'signal'>,
): Promise<RuleResult> {
  const undoings: (() => unknown)[] = [];
  const release = (undo: () => unknown): void => void undoings.push(undo);
  const run: PartyRun = { ruleId: rule.id, exchanges: [], warnings: [], left: [], release };
  const result = await resultWith(options, rule, run, async () => rule.check(await open(candidate, run)));
  for (const undo of undoings.reverse())
    await within(clearingLimit, 'the clean-up', Promise.resolve().then(undo)).catch(() => undefined);
  return run.left.length > 0 ? { ...result, left: run.left } : result;
}

async function resultWith<C>(
  { timeout, verbose, signal }: Pick<PlayOptions, 'timeout' | 'verbose' | 'signal'>,
  rule: PartyRule<C>,
  run: PartyRun,
  check: () => Promise<void>,
): Promise<RuleResult> {
  const started = performance.now();
  try {
    const outcome = await attempt(() => within(timeout, 'the whole rule', unlessEnded(signal, check)));
    const milliseconds = Math.round(performance.now() - started);
    return resultOf(rule, { ...run, requests: () => run.exchanges.length }, outcome, milliseconds, verbose);
  } catch (error) {
    return brokenResult(rule, findingOf(error));
  }
}

async function attempt(check: () => Promise<void>): Promise<Outcome> {
  try {
    await check();
    return { cells: [] };
  } catch (error) {
    return { thrown: error ?? new Error('thrown without a reason'), cells: [] };
  }
}
