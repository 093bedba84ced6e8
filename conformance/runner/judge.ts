import { type CatalogueEntry, entryFor } from '../catalogue/catalogue.ts';
import { exemption } from '../holds-for.ts';
import { startLimit } from '../lab/command.ts';
import type { Launcher } from '../lab/launcher.ts';
import { brokenResult, findingOf, type Outcome, type RuleResult, resultOf, skippedResult } from '../result.ts';
import type { Rule } from '../rule.ts';
import { facilities } from '../selection/profiles.ts';
import { absentControllers } from '../target/controllers.ts';
import type { PluginMeddling } from '../target/credential-plugin.ts';
import { type KnownTarget, type Target, withoutCertificate } from '../target/target.ts';
import { Skipped } from '../verbs/breach.ts';
import type { RuleRun } from '../verbs/context.ts';
import type { Permit } from '../verbs/guest/permit.ts';
import { coreRoot } from '../verbs/kinds.ts';
import { makeRun } from '../verbs/rule-run.ts';
import { unlessEnded, within } from '../verbs/wait-until.ts';
import { type Agents, connect } from '../verbs/wire/connections.ts';
import type { Witness } from '../verbs/witness.ts';
import { labOf, type Nowhere, nowhere, type StartedVenue, venueOf } from './venue.ts';

export interface JudgeOptions {
  readonly agents: Agents;
  /** Milliseconds a whole rule may take. */
  readonly timeout: number;
  /** Milliseconds to wait for what should come at once. */
  readonly patience: number;
  /** Leave what was created. */
  readonly keep: boolean;
  /** What may be done to the target; everything unless given. Servers that are started for rules are nobody else's. */
  readonly permit?: Permit;
  /** Ends all that is being judged; only the clean-up still runs. */
  readonly signal?: AbortSignal;
  /** Keep the exchanges of a pass, too. */
  readonly verbose?: boolean;
  /** Starts servers with chosen flags, where that is possible. */
  readonly launcher?: Launcher;
  /** Milliseconds that the controllers of a server started for a rule may take to show themselves; 30 000 unless given. */
  readonly settling?: number;
  /** How a server that was started for a rule is reached; the self-check goes through a proxy. */
  readonly reach?: (target: Target) => Promise<Reached>;
  /** How the suite's own client goes wrong, to see that rules about clients notice. */
  readonly client?: PluginMeddling;
  /** Hears all that the rule sends. */
  readonly witness?: Witness;
}

/** A target with connections to it. */
export interface Reached {
  readonly target: Target;
  readonly agents: JudgeOptions['agents'];
}

/** Runs one rule's check against a target and says how it went. Never throws. */
export async function judge(rule: Rule, target: KnownTarget, options: JudgeOptions): Promise<RuleResult> {
  const entry = entryFor(rule);
  const exempt = exemption(rule.id, target.version);
  if (exempt) return skippedResult(entry, exempt);
  try {
    const lab = labOf(rule, target);
    const venue = venueOf(rule, { target, lab, launches: options.launcher !== undefined });
    if (venue.on === 'nowhere') return notJudged(entry, venue, target);
    if (venue.on === 'target') return await judgeOn(rule, target, { target, agents: options.agents }, options);
    const launcher = options.launcher as Launcher;
    const { flags, running } = venue;
    if (running) return await judgeStarted(rule, target, { ...venue, started: running }, options);
    const started = await launcher.take(flags);
    try {
      return await judgeStarted(rule, target, { ...venue, started }, options);
    } finally {
      launcher.giveBack(flags);
    }
  } catch (error) {
    if (error instanceof Skipped)
      return skippedResult(entry, error.message, (target.claims?.length ?? 0) > 0 ? { leftOut: true } : {});
    return brokenResult(entry, findingOf(error));
  }
}

/** Judges a rule on a server that was started for it. */
async function judgeStarted(
  rule: Rule,
  target: KnownTarget,
  { started, offered, unseen }: StartedVenue & { readonly started: Target },
  options: JudgeOptions,
): Promise<RuleResult> {
  const entry = entryFor(rule);
  const { tended: _tended, narrow: _narrow, refused: _refused, ...own } = target;
  const known = { ...own, servers: 1, capabilities: [...target.capabilities, ...offered] };
  const reached = await (options.reach ?? connected)(started);
  const absent = unseen.length === 0 ? [] : await absentControllers(started, unseen, options.settling);
  if (absent.length > 0) return notJudged(entry, nowhere(absent, target), target);
  const { permit: _, ...free } = options;
  return judgeOn(rule, known, reached, free);
}

/** What is claimed and missing breaks a rule; all else that is missing only keeps it from being judged. */
function notJudged(entry: CatalogueEntry, { lacking, reason }: Nowhere, target: KnownTarget): RuleResult {
  const { claims = [], withheld = [] } = target;
  const claimed = lacking.filter((need) => claims.includes(need));
  if (claimed.some((need) => !facilities.includes(need) && !withheld.includes(need)))
    return brokenResult(entry, { kind: 'missing', message: reason });
  return skippedResult(entry, reason, { lacking, ...(claimed.length > 0 ? { leftOut: true } : {}) });
}

/** By all that is known of a server: a later one may have its address and be of another authority. */
const agentsOf = new Map<string, Agents>();

/** More servers do not run at once. */
const mostServers = 16;

/** Connections to a server that was started for rules; those to one that has ended close by themselves. */
async function connected(target: Target): Promise<Reached> {
  const key = JSON.stringify(target);
  const agents = agentsOf.get(key) ?? { own: connect(target), anonymous: connect(withoutCertificate(target)) };
  agentsOf.delete(key);
  agentsOf.set(key, agents);
  const [oldest = key] = agentsOf.keys();
  if (agentsOf.size > mostServers) agentsOf.delete(oldest);
  return { target, agents };
}

async function judgeOn(rule: Rule, known: KnownTarget, reached: Reached, options: JudgeOptions): Promise<RuleResult> {
  const run = runOn(rule, known, reached, options);
  const started = performance.now();
  const outcome = await attempt(rule, run, options);
  const milliseconds = Math.round(performance.now() - started);
  const result = resultOf(entryFor(rule), run, outcome, milliseconds, options.verbose ?? false);
  const left = await within(options.timeout, 'the clean-up', run.cleanUp()).catch((error: Error) => [
    `all that ${rule.id} made (${error.message}); --cleanup sweeps what is left on a server`,
  ]);
  const leftOut = result.verdict === 'skipped' && (known.claims?.length ?? 0) > 0;
  return { ...result, ...(leftOut ? { leftOut } : {}), ...(left.length > 0 ? { left } : {}) };
}

function runOn(rule: Rule, known: KnownTarget, { target, agents }: Reached, options: JudgeOptions): RuleRun {
  const { launcher, reach = connected } = options;
  const lab = labOf(rule, known);
  return makeRun({
    ...options,
    ...(lab ? { lab } : {}),
    ...(launcher ? { start: startBy(launcher, reach) } : {}),
    webhookHost: known.webhookHost ?? '127.0.0.1',
    unserved: unservedOf(known),
    ...(known.refused && !known.claims?.length ? { refused: known.refused } : {}),
    capabilities: launcher ? [...known.capabilities, 'flags'] : known.capabilities,
    version: known.version,
    servers: known.servers ?? 1,
    ...(known.tended ? { tended: known.tended } : {}),
    narrow: known.narrow ?? false,
    agents,
    ruleId: rule.id,
    target,
    finalize: !known.capabilities.includes('controllers'),
    requestLimit: Math.min(options.timeout, 30_000),
  });
}

/** What may be missing: of who claims anything nothing of the core group, and of who claims kinds none. */
function unservedOf({ claims = [], unserved = [] }: KnownTarget): readonly string[] {
  if (claims.includes('kinds')) return [];
  return claims.length === 0 ? unserved : unserved.filter((path) => !path.startsWith(`${coreRoot}/`));
}

/** A server of the rule's own, which it may stop. */
const startBy =
  (launcher: Launcher, reach: (target: Target) => Promise<Reached>) => async (flags: readonly string[]) => {
    const { target, stop } = await launcher.own(flags);
    return { ...(await reach(target)), stop };
  };

/** How many milliseconds a check that was stopped may take to end; what it still sends goes nowhere. */
const lastWords = 2_000;

/** Milliseconds that each cell of a general rule may add: they wait for each other. */
const perCell = 6_000;

/** How many servers a rule may start one after the other. */
const startsOfRule = 2;

/** Runs the check. One that is late is stopped and has ended before anything else is done. */
async function attempt(rule: Rule, run: RuleRun, { timeout, signal }: JudgeOptions): Promise<Outcome> {
  const checked = rule.check(run.context).then(
    (cells): Outcome => ({ cells: cells ?? [] }),
    (error): Outcome => ({ thrown: error ?? new Error('thrown without a reason'), cells: [] }),
  );
  try {
    const starting = rule.needs.includes('flags') ? startsOfRule * startLimit : 0;
    const limit = timeout + starting + perCell * (rule.cells?.length ?? 0);
    return await within(
      limit,
      'the whole rule',
      unlessEnded(signal, () => checked),
    );
  } catch (error) {
    run.stop();
    await within(lastWords, 'the check to end', checked).catch(() => undefined);
    return { thrown: error, cells: [] };
  }
}
