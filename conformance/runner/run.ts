import type { RuleResult } from '../result.ts';
import type { TeethResult } from '../sabotage/self-check.ts';
import { Hand, type Work } from './hand.ts';
import type { Plan } from './plan.ts';
import type { Outcome } from './player.ts';
import type { Section } from './sections.ts';

export interface RunOptions {
  readonly sections: readonly Section[];
  readonly plan: Plan;
  readonly workers: number;
  readonly failFast: boolean;
  readonly onResult?: (result: RuleResult) => void;
  readonly onTeeth?: (teeth: TeethResult) => void;
}

/** What went wrong beside the rules, such as a file of rules that could not be loaded. */
export interface RunOutcome {
  readonly errors: readonly string[];
}

/** Plays the planned rules by workers of our own and tells of each as soon as it ends. */
export async function runPlan({ sections, plan, workers, failFast, ...tell }: RunOptions): Promise<RunOutcome> {
  const queue: Work[] = sections
    .map(({ file, rules }) => ({ file, count: rules.filter(({ id }) => plan.ids.includes(id)).length }))
    .filter(({ count }) => count > 0);
  const errors: string[] = [];
  const hands = new Set<Hand>();
  const ended = (outcome: Outcome): void => {
    if ('teeth' in outcome) tell.onTeeth?.(outcome.teeth);
    else tell.onResult?.(outcome.result);
    if (!failFast || !isBroken(outcome)) return;
    queue.length = 0;
    for (const hand of hands) hand.halt();
  };
  /** A worker that is lost is replaced as long as there is something to do. */
  const employ = async (): Promise<void> => {
    do {
      const hand = new Hand({ plan, queue, ended, fault: (message) => errors.push(message) });
      hands.add(hand);
      await hand.work();
      hands.delete(hand);
    } while (queue.length > 0);
  };
  await Promise.all(Array.from({ length: Math.min(workers, queue.length) }, employ));
  return { errors };
}

const isBroken = (outcome: Outcome): boolean =>
  'teeth' in outcome ? outcome.teeth.problems.length > 0 : ['fail', 'error'].includes(outcome.result.verdict);
