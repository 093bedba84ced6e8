import type { Capability } from './capability.ts';
import { entryOf } from './catalogue/catalogue.ts';
import { judgedElsewhere } from './catalogue/without-check.ts';
import { type ConformanceOptions, checkOptions } from './conformance-options.ts';
import type { Launcher } from './lab/launcher.ts';
import { coverageOf, type RunReport } from './report/summary.ts';
import { brokenResult, type RuleResult, skippedResult } from './result.ts';
import { listenerOf } from './runner/listener.ts';
import { calmConcurrency, concurrency, type Plan } from './runner/plan.ts';
import { type RunOptions, runPlan } from './runner/run.ts';
import { afterSecondLook, heldBack, roundTripIn, worthSecondLook } from './runner/second-look.ts';
import { type NotedSection, surveySections } from './runner/survey.ts';
import { claimsOf } from './selection/profiles.ts';
import { selectedIds } from './selection/selection.ts';
import { asking, inspect } from './target/inspect.ts';
import { withTarget } from './target/open-target.ts';
import { sweep } from './target/sweep.ts';
import { curlOptionsOf, type KnownTarget } from './target/target.ts';
import { allOf, type Permit } from './verbs/guest/permit.ts';

/** Rules to play on a target that has been looked at. */
export interface Session {
  readonly sections: readonly NotedSection[];
  readonly ids: readonly string[];
  readonly target: KnownTarget;
  readonly permit: Permit;
  readonly launcher?: Launcher;
}

/**
 * Judges a target by the documented rules and gives the whole report. Without a target the reference server is started
 * for it.
 * @throws TargetFault when there is nothing to judge; TypeError for options that cannot be meant, and where they choose no rule;
 * what `onResult` throws, once what the run made is removed
 */
export async function runConformance(options: ConformanceOptions = {}): Promise<RunReport> {
  checkOptions(options);
  return withSession(options, (session) => playRules(session, options));
}

/**
 * Chooses the rules and opens the target, for as long as `work` lasts.
 * @param noted what rules there are, where that is known already
 */
export async function withSession<T>(
  options: ConformanceOptions,
  work: (session: Session) => Promise<T>,
  noted?: readonly NotedSection[],
): Promise<T> {
  const sections = noted ?? (await surveySections());
  const profiles = [options.profile ?? []].flat();
  const ids = selectedIds(sections, { ...options, profiles });
  if (ids.length === 0) throw new TypeError('no rule with a check is selected');
  const chosen = sections.flatMap(({ rules }) => rules.filter(({ id }) => ids.includes(id)));
  const needs = new Set<Capability>(chosen.flatMap((rule) => rule.needs));
  const permit = permitOf(options);
  const claims = claimsOf(profiles, chosen);
  return withTarget({ note: () => undefined, ...options, permit, needs }, (target, launcher) =>
    work({ sections, ids, target: { ...target, claims }, permit, ...(launcher ? { launcher } : {}) }),
  );
}

/** The reference server is nobody else's; on any other target the run is a guest. */
export function permitOf({ target, readOnly = false, yes = false, disruptive = false }: ConformanceOptions): Permit {
  const run = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
  if (!target) return { ...allOf(run), write: !readOnly };
  return { run, write: !readOnly, cluster: yes || disruptive, disruptive };
}

/** What the workers are told. */
export const planOf = ({ target, ids, permit }: Session, options: ConformanceOptions, patience = 5_000): Plan => ({
  target,
  ids,
  ...limitsOf(target, { patience, timeout: options.timeout ?? 60_000 }),
  keep: options.keep ?? false,
  permit,
  verbose: options.verbose ?? false,
  rulesAtOnce: concurrency,
  ...cellsOf(options),
});

/**
 * Workers of a run, each in a thread. The reference server answers in one thread itself, and one that asks keeps it at
 * work: more of them would only take memory.
 */
function staffOf({ target, workers = 2 }: ConformanceOptions): { workers: number } & Pick<Plan, 'rulesAtOnce'> {
  return target ? { workers, rulesAtOnce: concurrency } : { workers: 1, rulesAtOnce: workers * concurrency };
}

/** Enough to see every value of the short axes, and most kinds in any three rules. */
const cellsOfAPart = 8;

function cellsOf({ cells, profile = [] }: ConformanceOptions): Pick<Plan, 'cellsAtMost'> {
  const profiles = [profile].flat();
  const isPart = profiles.length > 0 && !profiles.includes('full');
  const most = cells ?? (isPart ? cellsOfAPart : 0);
  return most === 0 ? {} : { cellsAtMost: most };
}

/** Who is far away or slow is given more time: a rule sends some hundred requests at most one after another. */
const limitsOf = (
  { roundTrip = 0 }: Pick<KnownTarget, 'roundTrip'>,
  { patience, timeout }: Pick<Plan, 'patience' | 'timeout'>,
) => ({
  patience: patience + 20 * Math.round(roundTrip),
  timeout: timeout + 500 * Math.round(roundTrip),
});

/** Plays the rules of a session, once more those that may have failed for want of calm, and reports on all of them. */
export async function playRules(session: Session, options: ConformanceOptions): Promise<RunReport> {
  const { sections, target, launcher } = session;
  const started = Date.now();
  const results = new Map<string, RuleResult>();
  const silence = new AbortController();
  const watch = watchSilence(() => silence.abort());
  const listener = listenerOf(options);
  const { workers, rulesAtOnce } = staffOf(options);
  const plan = { ...planOf(session, options), rulesAtOnce };
  const run = {
    sections,
    plan,
    ...(launcher ? { launcher } : {}),
    workers,
    failFast: options.failFast ?? false,
    signal: AbortSignal.any([...(options.signal ? [options.signal] : []), silence.signal, listener.signal]),
  };
  const held = heldBack(options.target !== undefined && !run.failFast);
  const { errors } = await runPlan({
    ...run,
    onResult(result) {
      watch(result);
      results.set(result.id, result);
      for (const told of held.pass(result)) listener.tell(told);
    },
  });
  const onResult = (second: RuleResult): void =>
    void results.set(second.id, afterSecondLook(results.get(second.id) as RuleResult, second));
  if (!run.signal.aborted) errors.push(...(await lookAgain(held.back(), { ...run, onResult })));
  for (const { id } of held.back()) listener.tell(results.get(id) as RuleResult);
  const left = await leftovers(session, options, [...results.values()]);
  await listener.close();
  const isSilent = silence.signal.aborted;
  if (isSilent) errors.push(`${target.url} no longer answers; the run was ended`);
  return reportOf(session, options, { started, results, errors, left, isSilent });
}

/** What came of a run. */
interface Outcome extends Pick<RunReport, 'errors' | 'left'> {
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly results: ReadonlyMap<string, RuleResult>;
  /** It was ended because the target no longer answered. */
  readonly isSilent: boolean;
}

async function reportOf(
  { sections, ids, target }: Session,
  options: ConformanceOptions,
  { started, results, errors, left, isSilent }: Outcome,
): Promise<RunReport> {
  const checked = new Set(sections.flatMap((section) => section.rules.map(({ id }) => id)));
  return {
    target: target.url,
    version: target.version,
    profiles: [options.profile ?? []].flat(),
    ...cellsOf(options),
    startedAt: new Date(started).toISOString(),
    milliseconds: Date.now() - started,
    results: ids.map((id) => results.get(id) ?? neverRan(id, options, isSilent)),
    errors,
    left,
    curlOptions: curlOptionsOf(target),
    coverage: coverageOf(checked, await judgedElsewhere()),
  };
}

/** Plays what may have failed for want of calm once more, alone and with more time. @returns errors of the suite */
async function lookAgain(doubtful: readonly RuleResult[], run: RunOptions): Promise<readonly string[]> {
  const ids = worthSecondLook(doubtful);
  if (ids.length === 0) return [];
  const limits = limitsOf({ roundTrip: roundTripIn(doubtful) }, run.plan);
  const plan = { ...run.plan, ...limits, ids, rulesAtOnce: calmConcurrency };
  const { errors } = await runPlan({ ...run, plan, workers: 1 });
  return errors;
}

/** So many rules in a row without an answer, and the target is given up. */
const longestSilence = 30;

/** Calls `giveUp` when a target that once answered does so no longer. */
function watchSilence(giveUp: () => void): (result: RuleResult) => void {
  let silent = 0;
  return ({ finding, verdict }) => {
    if (verdict === 'skipped') return;
    silent = finding?.kind === 'connection' || finding?.kind === 'timeout' ? silent + 1 : 0;
    if (silent === longestSilence) giveUp();
  };
}

/** Takes away what no rule could, or knew of; gives what is there still. */
async function leftovers(
  { target, permit }: Session,
  { keep, target: given }: ConformanceOptions,
  results: readonly RuleResult[],
): Promise<readonly string[]> {
  if (keep || !given || !permit.write) return results.flatMap(({ left = [] }) => left);
  const finalize = !target.capabilities.includes('controllers');
  const swept = asking(target, async (send) => {
    // A sweep by who is not known any more would find nothing.
    await inspect(target, send);
    return sweep(send, { run: permit.run, finalize });
  });
  return swept.then(({ left }) => left).catch(({ message }: Error) => [`what the run made: ${message}`]);
}

function neverRan(id: string, { failFast, signal }: ConformanceOptions, silent: boolean): RuleResult {
  const entry = entryOf(id);
  if (silent) return skippedResult(entry, 'the target no longer answered', { leftOut: true });
  if (signal?.aborted) return skippedResult(entry, 'the run was ended');
  if (failFast) return skippedResult(entry, 'an earlier rule failed');
  return brokenResult(entry, { kind: 'crash', message: 'the rule was never run' });
}
