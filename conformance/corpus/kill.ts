import { entryOf } from '../catalogue.ts';
import type { RuleResult } from '../result.ts';
import type { Rule } from '../rule.ts';
import { makePlayer } from '../runner/player.ts';
import { startProxy } from '../sabotage/proxy.ts';
import type { KnownTarget } from '../target/target.ts';
import { connect } from '../verbs/client.ts';
import type { Fault } from './fault.ts';

/** Who noticed a fault; nobody when every rule was content. */
export interface Kill {
  readonly fault: Fault;
  readonly by?: Pick<RuleResult, 'id' | 'finding'>;
  readonly played: number;
}

/** Rules that start servers of their own judge those, not the faulty one. */
const judgesTarget = (rule: Rule): boolean =>
  rule.flags === undefined &&
  !['flags', 'lab', 'short-history', 'controllers'].some((need) => rule.needs.includes(need as never));

/** Plays rules against the target with one fault until one fails: those of the chapters it offends first. */
export async function kill(fault: Fault, rules: readonly Rule[], target: KnownTarget): Promise<Kill> {
  const agent = connect(target);
  const proxy = await startProxy(target, agent, fault.make);
  const own = (rule: Rule): boolean => fault.chapters.includes(entryOf(rule.id).chapter);
  const fit = rules.filter(judgesTarget);
  const { capabilities, version } = target;
  const faulty = { capabilities, version, ...proxy.target };
  try {
    let played = 0;
    for (const some of [fit.filter(own), fit.filter((rule) => !own(rule))]) {
      const found = await firstFailure(some, faulty);
      played += found.played;
      if (found.by) return { fault, by: found.by, played };
    }
    return { fault, played };
  } finally {
    await proxy.stop();
    await agent.destroy();
  }
}

async function firstFailure(rules: readonly Rule[], target: KnownTarget): Promise<Omit<Kill, 'fault'>> {
  const player = makePlayer({
    target,
    ids: rules.map(({ id }) => id),
    timeout: 60_000,
    patience: 2_000,
    keep: false,
    verbose: false,
  });
  let by: Kill['by'];
  let played = 0;
  await player.play(rules, {
    begun: () => undefined,
    ended: (_, outcome) => {
      played += 1;
      if (!('result' in outcome) || outcome.result.verdict !== 'fail') return;
      by ??= outcome.result;
      player.halt();
    },
  });
  await player.close();
  return { ...(by ? { by } : {}), played };
}
