import type { Agent } from 'undici';
import type { Launcher } from '../lab/launcher.ts';
import type { RuleResult } from '../result.ts';
import type { Rule } from '../rule.ts';
import type { TeethResult } from '../sabotage/self-check.ts';
import { sampled } from '../selection/cell-sample.ts';
import { withoutCertificate } from '../target/target.ts';
import { connect } from '../verbs/wire/connections.ts';
import { makeGate } from './gate.ts';
import { type JudgeOptions, judge } from './judge.ts';
import { paceOf } from './pace.ts';
import { type Plan, startersAtOnce } from './plan.ts';

/** How one rule ended: by a verdict, or by what its trial under sabotage showed. */
export type Outcome = { readonly result: RuleResult } | { readonly teeth: TeethResult };

/** Plays rules against the target of a plan. */
export interface Player {
  /** Resolves once all have been told of. */
  readonly play: (rules: readonly Rule[], tell: Teller) => Promise<void>;
  /** Rules that have not begun never will. */
  readonly halt: () => void;
  /** As well, and those that have begun are stopped and clean up. */
  readonly stop: () => void;
  readonly close: () => Promise<void>;
}

export interface Teller {
  readonly begun: (id: string) => void;
  readonly ended: (id: string, outcome: Outcome) => void;
}

/** @param launcher starts servers with chosen flags, where that is possible */
export function makePlayer(plan: Plan, launcher?: Launcher): Player {
  const agents = { own: connect(plan.target), anonymous: connect(withoutCertificate(plan.target)) };
  const gates = { working: makeGate(plan.rulesAtOnce), waiting: makeGate(plan.rulesAtOnce) };
  const starters = makeGate(startersAtOnce);
  const stopped = new AbortController();
  let halted = false;
  const playOne = async (rule: Rule, options: JudgeOptions, tell: Teller): Promise<void> => {
    if (halted) return;
    tell.begun(rule.id);
    const { cellsAtMost } = plan;
    const chosen = cellsAtMost === undefined ? rule : sampled(rule, cellsAtMost);
    tell.ended(rule.id, await outcomeOf(chosen, plan, options));
  };
  return {
    async play(rules, tell) {
      const options = { ...plan, agents, signal: stopped.signal, ...(launcher ? { launcher } : {}) };
      const inTurn = (rule: Rule): Promise<void> => gates[paceOf(rule.id)](() => playOne(rule, options, tell));
      await Promise.all(
        rules.map((rule) => (rule.needs.includes('flags') ? starters(() => inTurn(rule)) : inTurn(rule))),
      );
    },
    halt() {
      halted = true;
    },
    stop() {
      halted = true;
      stopped.abort();
    },
    close: async () => void (await Promise.all([agents.own, agents.anonymous].map((agent: Agent) => agent.destroy()))),
  };
}

async function outcomeOf(rule: Rule, plan: Plan, options: JudgeOptions): Promise<Outcome> {
  if (!plan.deadServers) return { result: await judge(rule, plan.target, options) };
  // Its proxies are of no use to any other run.
  const { checkTeeth } = await import('../sabotage/self-check.ts');
  return { teeth: await checkTeeth(rule, plan.target, plan.deadServers, options) };
}
