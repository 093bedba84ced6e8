import { flushCompileCache } from 'node:module';
import type { Launcher } from '../lab/launcher.ts';
import type { RuleResult } from '../result.ts';
import type { TeethResult } from '../sabotage/self-check.ts';
import { Hand, type Work } from './hand.ts';
import { paceOf } from './pace.ts';
import type { Plan } from './plan.ts';
import type { Outcome } from './player.ts';
import type { NotedSection } from './survey.ts';

export interface RunOptions {
  readonly sections: readonly NotedSection[];
  readonly plan: Plan;
  /** Starts servers for rules, where that is possible. */
  readonly launcher?: Launcher;
  readonly workers: number;
  readonly failFast: boolean;
  /** Ends the run; what has begun still cleans up. */
  readonly signal?: AbortSignal;
  readonly onResult?: (result: RuleResult) => void;
  readonly onTeeth?: (teeth: TeethResult) => void;
}

/** What went wrong beside the rules, such as a file of rules that could not be loaded. */
export interface RunOutcome {
  readonly errors: string[];
}

/** What there is to do, what takes long first. */
const queueOf = ({ sections, plan }: Pick<RunOptions, 'sections' | 'plan'>): Work[] =>
  sections
    .toSorted((one, other) => paceOf(one.prefix).localeCompare(paceOf(other.prefix)))
    .map(({ file, prefix, rules }) => ({
      file,
      count: rules.filter(({ id }) => plan.ids.includes(id)).length,
      pace: paceOf(prefix),
    }))
    .filter(({ count }) => count > 0);

/** Plays the planned rules by workers of our own and tells of each as soon as it ends. */
export async function runPlan(options: RunOptions): Promise<RunOutcome> {
  const { plan, workers, failFast, signal, launcher, ...tell } = options;
  const queue = queueOf(options);
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
      const fault = (message: string): void => void errors.push(message);
      const hand = new Hand({ plan, queue, ended, fault, ...(launcher ? { launcher } : {}) });
      hands.add(hand);
      await hand.work();
      hands.delete(hand);
    } while (queue.length > 0);
  };
  const stop = (): void => {
    queue.length = 0;
    for (const hand of hands) hand.stop();
  };
  if (signal?.aborted) return { errors };
  // All is loaded that leads a run: what was read of the cache would only be held.
  flushCompileCache();
  signal?.addEventListener('abort', stop, { once: true });
  await Promise.all(Array.from({ length: Math.min(workers, queue.length) }, employ));
  signal?.removeEventListener('abort', stop);
  return { errors };
}

const isBroken = (outcome: Outcome): boolean =>
  'teeth' in outcome ? outcome.teeth.problems.length > 0 : ['fail', 'error'].includes(outcome.result.verdict);
