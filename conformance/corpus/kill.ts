import type { Capability } from '../capability.ts';
import { entryOf } from '../catalogue/catalogue.ts';
import type { Launcher } from '../lab/launcher.ts';
import { judgeCells } from '../matrix.ts';
import type { RuleResult } from '../result.ts';
import type { Rule } from '../rule.ts';
import { concurrency } from '../runner/plan.ts';
import { makePlayer, type Outcome } from '../runner/player.ts';
import { startProxy } from '../sabotage/proxy.ts';
import { withTarget } from '../target/open-target.ts';
import type { KnownTarget } from '../target/target.ts';
import { allOf } from '../verbs/guest/permit.ts';
import { connect } from '../verbs/wire/connections.ts';
import type { Fault } from './fault.ts';
import { miswriting } from './slip.ts';

/** Who noticed a fault; nobody when every rule was content. */
export interface Kill {
  readonly fault: Fault;
  readonly by?: Pick<RuleResult, 'id' | 'finding'>;
  readonly played: number;
}

/** Everything is allowed on a server of our own. */
const permit = allOf('corpus');

/** Rules that start servers of their own judge those, and a proxy stands before the first alone. */
const judgesTarget = ({ flags, needs }: Rule): boolean =>
  flags === undefined && !needs.some((need) => startedFor.includes(need));

const startedFor: readonly Capability[] = ['flags', 'lab', 'short-history', 'controllers'];

/** Rules that are played at the same time. */
const atOnce = 8;

/** Milliseconds to wait for what should come at once. */
const usualPatience = 1_500;

/** A rule that ends soon after its first broken cell. */
const hasty = (rule: Rule): Rule => {
  const { cells } = rule;
  return cells ? { ...rule, check: (context) => judgeCells(cells, context, { failFast: true }) } : rule;
};

/** A server with one fault, for as long as `work` lasts. */
export function withFaulty<T>(
  { make, edits = [] }: Fault,
  needs: ReadonlySet<Capability>,
  work: (target: KnownTarget, launcher?: Launcher) => Promise<T>,
): Promise<T> {
  const imports = edits.length > 0 ? [miswriting(edits)] : [];
  return withTarget({ permit, needs, imports, note: () => undefined }, async (known, launcher) => {
    if (!make) return work(known, launcher);
    const agent = connect(known);
    const proxy = await startProxy(known, agent, make);
    const { capabilities, version } = known;
    try {
      return await work({ capabilities, version, ...proxy.target });
    } finally {
      await proxy.stop();
      await agent.destroy();
    }
  });
}

/**
 * Plays rules against a server with one fault until one fails: those of the chapters it offends, then all others.
 * @param patience milliseconds to wait for what should come at once; a busy machine needs more
 */
export async function kill(fault: Fault, rules: readonly Rule[], patience = usualPatience): Promise<Kill> {
  const own = (rule: Rule): boolean => fault.chapters.includes(entryOf(rule.id).chapter);
  const fit = rules.filter((rule) => fault.edits || judgesTarget(rule));
  const needs = new Set(fit.filter(own).flatMap((rule) => rule.needs));
  return withFaulty(fault, needs, async (target, launcher) => {
    let played = 0;
    const inOrder = [...fit.filter(own), ...fit.filter((rule) => !own(rule))].map(hasty);
    for (let at = 0; at < inOrder.length; at += atOnce) {
      const found = await firstFailure(inOrder.slice(at, at + atOnce), patience, target, launcher);
      played += found.played;
      if (found.by) return { fault, by: found.by, played };
    }
    return { fault, played };
  });
}

/** Resolves at the first failure: what is still being played then is of no interest, and its server about to end. */
async function firstFailure(
  rules: readonly Rule[],
  patience: number,
  target: KnownTarget,
  launcher: Launcher | undefined,
): Promise<Omit<Kill, 'fault'>> {
  const ids = rules.map(({ id }) => id);
  const limits = { timeout: patience * 40, patience, rulesAtOnce: concurrency };
  const plan = { target, ids, permit, ...limits, keep: false, verbose: false };
  const player = makePlayer(plan, launcher);
  let played = 0;
  const by = await new Promise<RuleResult | undefined>((resolve) => {
    const ended = (_: string, outcome: Outcome): void => {
      played += 1;
      if (!('result' in outcome) || outcome.result.verdict !== 'fail') return;
      player.halt();
      resolve(outcome.result);
    };
    void player
      .play(rules, { begun: () => undefined, ended })
      .then(() => player.close())
      .then(() => resolve(undefined));
  });
  return { ...(by ? { by } : {}), played };
}
