import type { Dispatcher } from 'undici';
import { type Capability, capabilities } from './capability.ts';
import { type CatalogueEntry, entryOf } from './catalogue.ts';
import { capabilityFlags } from './lab/capability-flags.ts';
import { type Lab, openLab } from './lab/lab.ts';
import type { Launcher } from './lab/launcher.ts';
import type { CellOutcome } from './matrix.ts';
import type { Level, Rule, Verdict } from './rule.ts';
import { controllerCapabilities } from './target/controllers.ts';
import type { PluginMeddling } from './target/credential-plugin.ts';
import { type KnownTarget, type Target, withoutCertificate } from './target/target.ts';
import { Breach, type BreachKind, Skipped } from './verbs/breach.ts';
import { connect } from './verbs/client.ts';
import { makeRun, type RuleRun } from './verbs/context.ts';
import { type Exchange, publishable } from './verbs/exchange.ts';
import { within } from './verbs/wait-until.ts';

/** What is said about a check that did not pass. */
export interface Finding {
  readonly kind: BreachKind | 'crash';
  readonly message: string;
  readonly expected?: string;
  readonly seen?: string;
  /** Of a general rule: the cells that did not hold. */
  readonly cells?: readonly CellFinding[];
}

/** What is said about one cell of a general rule. */
export interface CellFinding extends Omit<Finding, 'cells'> {
  readonly cell: string;
}

/** How many cells of a general rule were judged, and how many of them held. */
export interface CellCounts {
  readonly judged: number;
  readonly held: number;
  /** Why the others were not judged. */
  readonly skipped: readonly { readonly cell: string; readonly reason: string }[];
}

/** One rule's result: plain data, fit for reports. */
export interface RuleResult {
  readonly id: string;
  readonly chapter: string;
  readonly level: Level;
  readonly statement: string;
  readonly source: string;
  readonly verdict: Verdict;
  readonly finding?: Finding;
  /** Why it was skipped. */
  readonly reason?: string;
  readonly warnings: readonly string[];
  /** Only of a general rule. */
  readonly cells?: CellCounts;
  /** Secrets redacted; left out of a pass. */
  readonly exchanges: readonly Exchange[];
  readonly requests: number;
  readonly milliseconds: number;
}

export interface JudgeOptions {
  readonly agents: { readonly own: Dispatcher; readonly anonymous: Dispatcher };
  /** Milliseconds a whole rule may take. */
  readonly timeout: number;
  /** Milliseconds to wait for what should come at once. */
  readonly patience: number;
  /** Leave what was created. */
  readonly keep: boolean;
  /** Keep the exchanges of a pass, too. */
  readonly verbose?: boolean;
  /** Starts servers with chosen flags, where that is possible. */
  readonly launcher?: Launcher;
  /** How a server that was started for a rule is reached; the self-check goes through a proxy. */
  readonly reach?: (target: Target) => Promise<Reached>;
  /** How the suite's own client goes wrong, to see that rules about clients notice. */
  readonly client?: PluginMeddling;
}

/** A target with connections to it. */
export interface Reached {
  readonly target: Target;
  readonly agents: JudgeOptions['agents'];
}

/** Runs one rule's check against a target and says how it went. Never throws. */
export async function judge(rule: Rule, target: KnownTarget, options: JudgeOptions): Promise<RuleResult> {
  const entry = entryOf(rule.id);
  const present: readonly Capability[] = options.launcher ? [...target.capabilities, 'flags'] : target.capabilities;
  const missing = rule.needs.filter((need) => !present.includes(need));
  const lab = rule.needs.includes('lab') && target.labFolder ? openLab(target.labFolder) : undefined;
  const byFlags: typeof capabilityFlags = { ...capabilityFlags, ...(lab ? { lab: lab.flags } : {}) };
  const own = ownFlags(rule, lab);
  const { beside } = target;
  const wanted = own.length > 0 ? rule.needs : missing;
  const offered = beside && wanted.some((need) => beside.capabilities.includes(need)) ? beside : undefined;
  // A server that is started has to have all that the target may have already; the rule's own flags come last: they
  // may say otherwise.
  const more = [...wanted.flatMap((need) => byFlags[need] ?? []), ...own];
  const flags = [...(offered?.flags ?? []), ...more];
  // No controllers run beside a server that is started, unless they are offered with it.
  const alone = own.length > 0 && !offered ? rule.needs.filter((need) => controllerCapabilities.includes(need)) : [];
  if (alone.length > 0) return skippedResult(entry, `no server with chosen flags has: ${described(alone)}`);
  const lacking = missing.filter((need) => !byFlags[need] && !offered?.capabilities.includes(need));
  if (lacking.length > 0) return skippedResult(entry, missingReason(lacking));
  if (flags.length === 0) return judgeOn(rule, entry, target, { target, agents: options.agents }, options, lab);
  if (!options.launcher) return skippedResult(entry, missingReason(missing.length > 0 ? missing : ['flags']));
  try {
    const running = more.length === 0 ? offered?.target : undefined;
    const started = running ?? (await options.launcher.withFlags(flags));
    const known = offered ? { ...target, capabilities: [...target.capabilities, ...offered.capabilities] } : target;
    return await judgeOn(rule, entry, known, await (options.reach ?? connected)(started), options, lab);
  } catch (error) {
    return { ...skippedResult(entry, ''), verdict: 'error', finding: findingOf(error) };
  }
}

const ownFlags = ({ flags = [] }: Rule, lab: Lab | undefined): readonly string[] => {
  if (typeof flags !== 'function') return flags;
  return lab ? flags(lab) : [];
};

const agentsByUrl = new Map<string, JudgeOptions['agents']>();

/** Connections to a server that was started for rules; it ends with the process. */
async function connected(target: Target): Promise<Reached> {
  const agents = agentsByUrl.get(target.url) ?? {
    own: connect(target),
    anonymous: connect(withoutCertificate(target)),
  };
  agentsByUrl.set(target.url, agents);
  return { target, agents };
}

async function judgeOn(
  rule: Rule,
  entry: CatalogueEntry,
  known: KnownTarget,
  { target, agents }: Reached,
  options: JudgeOptions,
  lab: Lab | undefined,
): Promise<RuleResult> {
  const { launcher, reach = connected } = options;
  const run = makeRun({
    ...options,
    ...(lab ? { lab } : {}),
    ...(launcher ? { start: startBy(launcher, reach) } : {}),
    webhookHost: known.webhookHost ?? '127.0.0.1',
    capabilities: launcher ? [...known.capabilities, 'flags'] : known.capabilities,
    agents,
    ruleId: rule.id,
    target,
    finalize: !known.capabilities.includes('controllers'),
    requestLimit: Math.min(options.timeout, 30_000),
  });
  const started = performance.now();
  const outcome = await attempt(rule, run, options.timeout);
  const milliseconds = Math.round(performance.now() - started);
  const result = resultOf(entry, run, outcome, milliseconds, options.verbose ?? false);
  await within(options.timeout, 'the clean-up', run.cleanUp()).catch(() => undefined);
  return result;
}

const startBy =
  (launcher: Launcher, reach: (target: Target) => Promise<Reached>) => async (flags: readonly string[]) => ({
    ...(await reach(await launcher.withFlags(flags))),
    stop: () => launcher.stop(flags),
  });

const described = (needs: readonly Capability[]): string =>
  needs.map((need) => `${need} (${capabilities[need]})`).join('; ');

const missingReason = (missing: readonly Capability[]): string => `the target lacks: ${described(missing)}`;

/** How a check went: what it threw, if anything, and the outcome of each cell. */
interface Outcome {
  readonly thrown?: unknown;
  readonly cells: readonly CellOutcome[];
}

async function attempt(rule: Rule, run: RuleRun, timeout: number): Promise<Outcome> {
  try {
    return { cells: (await within(timeout, 'the whole rule', rule.check(run.context))) ?? [] };
  } catch (error) {
    return { thrown: error ?? new Error('thrown without a reason'), cells: [] };
  }
}

function resultOf(
  entry: CatalogueEntry,
  run: RuleRun,
  { thrown, cells }: Outcome,
  milliseconds: number,
  verbose: boolean,
): RuleResult {
  const counts = countsOf(cells);
  const requests = run.requests();
  if (thrown instanceof Skipped) return { ...skippedResult(entry, thrown.message), requests, milliseconds };
  if (counts?.judged === 0)
    return { ...skippedResult(entry, counts.skipped[0]?.reason ?? ''), cells: counts, requests, milliseconds };
  const finding = thrown === undefined ? findingOfCells(cells) : findingOf(thrown);
  const verdict = verdictOf(entry.level, finding, run.warnings.length);
  const exchanges = [...run.exchanges, ...cells.flatMap((cell) => cell.exchanges)];
  return {
    ...facts(entry),
    verdict,
    ...(finding ? { finding } : {}),
    warnings: run.warnings,
    ...(counts ? { cells: counts } : {}),
    exchanges: verdict === 'pass' && !verbose ? [] : exchanges.map(publishable),
    requests,
    milliseconds,
  };
}

function countsOf(cells: readonly CellOutcome[]): CellCounts | undefined {
  if (cells.length === 0) return undefined;
  const skipped = cells.flatMap(({ cell, skipped: reason }) => (reason === undefined ? [] : [{ cell, reason }]));
  const broken = cells.filter(({ error }) => error !== undefined).length;
  return { judged: cells.length - skipped.length, held: cells.length - skipped.length - broken, skipped };
}

/** From the most telling kind of breach to the least: one cell that crashed must not hide a rule that is broken. */
const telling: readonly Finding['kind'][] = ['assertion', 'malformed', 'timeout', 'connection', 'preparation', 'crash'];

/** One finding for all the cells that did not hold. */
function findingOfCells(outcomes: readonly CellOutcome[]): Finding | undefined {
  const cells = outcomes.flatMap(({ cell, error }): CellFinding[] =>
    error === undefined ? [] : [{ cell, ...findingOf(error) }],
  );
  const first = telling.flatMap((kind) => cells.filter((cell) => cell.kind === kind))[0];
  if (!first) return undefined;
  const { cell: _, message: __, ...parts } = first;
  const lines = cells.map(({ cell, message }) => `  ${cell}: ${message.split('\n')[0]}`);
  return { ...parts, message: `${cells.length} of ${outcomes.length} cells:\n${lines.join('\n')}`, cells };
}

const facts = ({ id, chapter, level, statement, source }: CatalogueEntry) => ({
  id,
  chapter,
  level,
  statement,
  source,
});

export const skippedResult = (entry: CatalogueEntry, reason: string): RuleResult => ({
  ...facts(entry),
  verdict: 'skipped',
  reason,
  warnings: [],
  exchanges: [],
  requests: 0,
  milliseconds: 0,
});

/** Only a must can fail; of a should or a may it is worth knowing. */
export function verdictOf(level: Level, finding: Finding | undefined, warnings: number): Verdict {
  if (finding === undefined) return warnings > 0 ? 'warn' : 'pass';
  if (finding.kind === 'crash') return 'error';
  return level === 'must' ? 'fail' : 'warn';
}

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (text ?? String(value)).slice(0, 4_000);
};

/** The innermost frame of our own that is not the machinery's. */
const inRule = /\.rules\.ts/;

/** Tells a broken rule from a broken suite: only assertions and breaches speak about the target. */
export function findingOf(error: unknown): Finding {
  if (error instanceof Breach) return { kind: error.kind, message: error.message };
  if (error instanceof Error && error.name === 'AssertionError') {
    const { actual, expected } = error as { actual?: unknown; expected?: unknown };
    return {
      kind: 'assertion',
      message: error.message,
      ...(expected === undefined ? {} : { expected: shown(expected) }),
      ...(actual === undefined ? {} : { seen: shown(actual) }),
    };
  }
  if (error instanceof TypeError && /expects? to (receive|be called)/.test(error.message))
    return { kind: 'assertion', message: error.message };
  if (error instanceof TypeError && inRule.test(error.stack ?? '')) {
    return { kind: 'malformed', message: `the answer is not of the shape that the check reads: ${error.message}` };
  }
  if (error instanceof Error) return { kind: 'crash', message: error.stack ?? error.message };
  return { kind: 'crash', message: String(error) };
}
