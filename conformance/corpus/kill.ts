import { entryOf } from '../catalogue.ts';
import { judgeCells } from '../matrix.ts';
import type { RuleResult } from '../result.ts';
import type { Rule } from '../rule.ts';
import { makePlayer, type Outcome } from '../runner/player.ts';
import { startProxy } from '../sabotage/proxy.ts';
import { explore } from '../target/capabilities.ts';
import { startReference } from '../target/reference.ts';
import type { KnownTarget } from '../target/target.ts';
import { connect } from '../verbs/client.ts';
import { allOf } from '../verbs/permit.ts';
import type { Fault } from './fault.ts';

/** Who noticed a fault; nobody when every rule was content. */
export interface Kill {
  readonly fault: Fault;
  readonly by?: Pick<RuleResult, 'id' | 'finding'>;
  readonly played: number;
}

/** Everything is allowed on a server of our own. */
const permit = allOf('corpus');

/** Rules that start servers of their own judge those, not the faulty one. */
const judgesTarget = (rule: Rule): boolean =>
  rule.flags === undefined &&
  !['flags', 'lab', 'short-history', 'controllers'].some((need) => rule.needs.includes(need as never));

/** Rules that are played at the same time. */
const atOnce = 4;

/** A rule that ends soon after its first broken cell. */
const hasty = (rule: Rule): Rule => {
  const { cells } = rule;
  return cells ? { ...rule, check: (context) => judgeCells(cells, context, { failFast: true }) } : rule;
};

/** Plays rules against a server with one fault until one fails: those of the chapters it offends, then all others. */
export async function kill(fault: Fault, rules: readonly Rule[]): Promise<Kill> {
  const reference = await startReference();
  const known = await explore(reference.target, { declared: [], permit });
  const agent = connect(known);
  const proxy = await startProxy(known, agent, fault.make);
  const { capabilities, version } = known;
  const own = (rule: Rule): boolean => fault.chapters.includes(entryOf(rule.id).chapter);
  const fit = rules.filter(judgesTarget);
  try {
    let played = 0;
    const inOrder = [...fit.filter(own), ...fit.filter((rule) => !own(rule))].map(hasty);
    for (let at = 0; at < inOrder.length; at += atOnce) {
      const some = inOrder.slice(at, at + atOnce);
      const found = await firstFailure(some, { capabilities, version, ...proxy.target });
      played += found.played;
      if (found.by) return { fault, by: found.by, played };
    }
    return { fault, played };
  } finally {
    await proxy.stop();
    await agent.destroy();
    await reference.stop();
  }
}

/** Resolves at the first failure: what is still being played then is of no interest, and its server about to end. */
async function firstFailure(rules: readonly Rule[], target: KnownTarget): Promise<Omit<Kill, 'fault'>> {
  const ids = rules.map(({ id }) => id);
  const player = makePlayer({ target, ids, permit, timeout: 60_000, patience: 1_500, keep: false, verbose: false });
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
