import { isBroken } from '../report/causes.ts';
import type { RuleResult } from '../result.ts';

/** More broken rules than that are no matter of chance. */
const mostSecondLooks = 40;

/**
 * The broken rules that are worth a second look. On somebody else's server others work as well: a controller writes in
 * between, a busy machine is late. What is broken for such a reason holds when it is judged again with little beside it.
 */
export function worthSecondLook(results: readonly RuleResult[]): readonly string[] {
  const broken = results.filter((result) => isBroken(result) && result.finding?.kind !== 'missing');
  return broken.length > mostSecondLooks ? [] : broken.map(({ id }) => id);
}

/** Milliseconds that one of two answers took while these rules were judged: a target may have become slow since it was met. */
export function roundTripIn(results: readonly RuleResult[]): number {
  const answers = results.flatMap(({ exchanges }) => exchanges).filter(({ status }) => status > 0);
  const times = answers.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  return times[times.length >> 1] ?? 0;
}

/** What is said of a rule that was broken and then judged again: kept now, it is still not passed over in silence. */
export function afterSecondLook(first: RuleResult, second: RuleResult): RuleResult {
  const milliseconds = first.milliseconds + second.milliseconds;
  if (isBroken(second) || second.verdict === 'skipped') return { ...first, milliseconds };
  const said = first.finding?.message.replaceAll(/\s*\n\s*/g, ' ');
  const warnings = [`broken at first, kept when it was judged again: ${said}`, ...second.warnings];
  return { ...second, verdict: 'warn', warnings, milliseconds };
}

/** Results that are not told before it is known whether they are judged again. */
export interface HeldBack {
  /** What can be told now that this result is there. */
  readonly pass: (result: RuleResult) => readonly RuleResult[];
  readonly back: () => readonly RuleResult[];
}

/** Holds back what is broken, as long as it is little. */
export function heldBack(holds: boolean): HeldBack {
  let back: readonly RuleResult[] = [];
  let open = holds;
  return {
    back: () => back,
    pass(result) {
      if (!open || !isBroken(result)) return [result];
      back = [...back, result];
      if (back.length <= mostSecondLooks) return [];
      const all = back;
      [open, back] = [false, []];
      return all;
    },
  };
}
