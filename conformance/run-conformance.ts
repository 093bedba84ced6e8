import type { Capability } from './capability.ts';
import { entryOf } from './catalogue.ts';
import { claimsOf, type ProfileName } from './profiles.ts';
import { coverageOf, type RunReport } from './report/summary.ts';
import { brokenResult, type RuleResult, skippedResult } from './result.ts';
import type { Plan } from './runner/plan.ts';
import { runPlan } from './runner/run.ts';
import { loadSections, type Section } from './runner/sections.ts';
import { type Choice, selectedIds } from './selection.ts';
import { type TargetOptions, withTarget } from './target/open-target.ts';
import type { KnownTarget } from './target/target.ts';

/** What to judge, by which rules, and how; all of it may be left out. */
export interface ConformanceOptions
  extends Omit<Choice, 'profiles'>,
    Partial<Pick<TargetOptions, 'target' | 'launch' | 'lab' | 'webhookHost' | 'capabilities' | 'note'>> {
  /** What the target claims to keep: only these rules are played, and what they need must be there. */
  readonly profile?: ProfileName | readonly ProfileName[];
  /** Milliseconds one rule may take; 60 000 unless given. */
  readonly timeout?: number;
  /** How many threads play rules; 2 unless given. */
  readonly workers?: number;
  readonly failFast?: boolean;
  /** Leave what rules create. */
  readonly keep?: boolean;
  /** Keep the exchanges of rules that pass, too. */
  readonly verbose?: boolean;
  /** Told of each rule as soon as it ends. */
  readonly onResult?: (result: RuleResult) => void;
}

/** Rules to play on a target that has been looked at. */
export interface Session {
  readonly sections: readonly Section[];
  readonly ids: readonly string[];
  readonly target: KnownTarget;
}

/**
 * Judges a target by the documented rules and gives the whole report. Without a target the reference server is started
 * for it.
 * @throws TargetFault when there is nothing to judge
 */
export const runConformance = (options: ConformanceOptions = {}): Promise<RunReport> =>
  withSession(options, (session) => playRules(session, options));

/** Chooses the rules and opens the target, for as long as `work` lasts. */
export async function withSession<T>(options: ConformanceOptions, work: (session: Session) => Promise<T>): Promise<T> {
  const sections = await loadSections();
  const profiles = [options.profile ?? []].flat();
  const ids = selectedIds(sections, { ...options, profiles });
  const chosen = sections.flatMap(({ rules }) => rules.filter(({ id }) => ids.includes(id)));
  const needs = new Set<Capability>(chosen.flatMap((rule) => rule.needs));
  const opening = { note: () => undefined, mayWrite: true, mayTouchCluster: true, ...options, needs };
  return withTarget(opening, (target) =>
    work({ sections, ids, target: { ...target, claims: claimsOf(profiles, chosen) } }),
  );
}

/** What the workers are told. */
export const planOf = ({ target, ids }: Session, options: ConformanceOptions, patience = 5_000): Plan => ({
  target,
  ids,
  patience,
  timeout: options.timeout ?? 60_000,
  keep: options.keep ?? false,
  verbose: options.verbose ?? false,
});

export async function playRules(session: Session, options: ConformanceOptions): Promise<RunReport> {
  const { sections, ids, target } = session;
  const started = Date.now();
  const results = new Map<string, RuleResult>();
  const { errors } = await runPlan({
    sections,
    plan: planOf(session, options),
    workers: options.workers ?? 2,
    failFast: options.failFast ?? false,
    onResult(result) {
      results.set(result.id, result);
      options.onResult?.(result);
    },
  });
  const checked = new Set(sections.flatMap((section) => section.rules.map(({ id }) => id)));
  return {
    target: target.url,
    version: target.version,
    profiles: [options.profile ?? []].flat(),
    startedAt: new Date(started).toISOString(),
    milliseconds: Date.now() - started,
    results: ids.map((id) => results.get(id) ?? neverRan(id, options.failFast ?? false)),
    errors,
    coverage: coverageOf(checked),
  };
}

const neverRan = (id: string, failFast: boolean): RuleResult =>
  failFast
    ? skippedResult(entryOf(id), 'not run: an earlier rule failed')
    : brokenResult(entryOf(id), { kind: 'crash', message: 'the rule was never run' });
