import type { RuleResult } from '../result.ts';

/** Rules that were not judged for one reason. */
export interface NotJudged {
  readonly reason: string;
  readonly ids: readonly string[];
  /** Something of this was claimed. */
  readonly leftOut: boolean;
}

/** What is not known of the target and why, the reason with the most rules first. */
export function notJudged(results: readonly RuleResult[]): NotJudged[] {
  const groups = new Map<string, RuleResult[]>();
  for (const result of results.filter(({ verdict }) => verdict === 'skipped')) {
    const reason = result.reason ?? '';
    groups.set(reason, [...(groups.get(reason) ?? []), result]);
  }
  return [...groups]
    .map(([reason, group]) => ({
      reason,
      ids: group.map(({ id }) => id),
      leftOut: group.some(({ leftOut }) => leftOut === true),
    }))
    .sort((one, other) => other.ids.length - one.ids.length);
}
