import { type ConformanceOptions, checkOptions } from './conformance-options.ts';
import type { RuleResult } from './result.ts';
import type { Rule } from './rule.ts';
import { permitOf, planOf } from './run-conformance.ts';
import { listenerOf } from './runner/listener.ts';
import { makePlayer } from './runner/player.ts';
import { withTarget } from './target/open-target.ts';

const taken = [
  ...(['target', 'capabilities', 'webhookHost', 'timeout', 'keep', 'verbose', 'signal'] as const),
  ...(['yes', 'disruptive', 'readOnly', 'onResult'] as const),
];

/** How to judge by one's own rules; what is left out is as for the whole suite. */
export type OwnRulesOptions = Pick<ConformanceOptions, (typeof taken)[number]>;

/**
 * Judges a target by these rules alone, here and not in threads of their own, so that they may use what is around them. Without a
 * target the reference server is started. Gives the results in the order of the rules.
 * @throws TargetFault when there is nothing to judge; TypeError for options that cannot be meant; what `onResult` throws
 */
export async function runRules(rules: readonly Rule[], options: OwnRulesOptions = {}): Promise<readonly RuleResult[]> {
  checkOptions(options, taken);
  if (!Array.isArray(rules)) throw new TypeError('rules are a list, each of defineRule');
  const permit = permitOf(options);
  const needs = new Set(rules.flatMap((rule) => rule.needs));
  return withTarget({ note: () => undefined, ...options, permit, needs }, async (target) => {
    const ids = rules.map(({ id }) => id);
    const player = makePlayer(planOf({ sections: [], ids, target, permit }, options));
    const results = new Map<string, RuleResult>();
    const listener = listenerOf(options);
    const signal = AbortSignal.any([...(options.signal ? [options.signal] : []), listener.signal]);
    const stop = () => player.stop();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await player.play(rules, {
        begun: () => undefined,
        ended(id, outcome) {
          if (!('result' in outcome)) return;
          results.set(id, outcome.result);
          listener.tell(outcome.result);
        },
      });
    } finally {
      signal.removeEventListener('abort', stop);
      await player.close();
    }
    await listener.close();
    return ids.flatMap((id) => results.get(id) ?? []);
  });
}
