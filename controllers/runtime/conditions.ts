import { formatTime } from './clock.ts';

/** A condition as the statuses of most kinds carry it. */
export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

/** What a condition should say; `undefined` in its place means that there should be none. */
export type Verdict = Omit<Condition, 'lastTransitionTime'>;

/**
 * The conditions with the one of this type as the verdict says, or without it. Its time moves only with its status.
 * Answers the very same list when nothing changes.
 */
export function withCondition<C extends Condition>(
  conditions: readonly C[],
  type: string,
  verdict: Omit<Verdict, 'type'> | undefined,
  now: number,
): readonly C[] {
  const before = conditions.find((condition) => condition.type === type);
  if (!verdict) return before ? conditions.filter((condition) => condition !== before) : conditions;
  const { status, reason, message } = verdict;
  if (before?.status === status && before.reason === reason && before.message === message) return conditions;
  const time = formatTime(now);
  const lastTransitionTime = (before?.status === status && before.lastTransitionTime) || time;
  const next = { ...verdict, type, lastTransitionTime } as C;
  return before ? conditions.map((condition) => (condition === before ? next : condition)) : [...conditions, next];
}

/**
 * A failure that holds already for the same reason, in the words in which it was told: they may name what was only tried,
 * and whoever wrote them anew at every try would bring the next one at once.
 */
export function asTold<V extends Omit<Verdict, 'type'>>(conditions: readonly Condition[], type: string, failure: V): V {
  const old = conditions.find((condition) => condition.type === type);
  const isTold = old?.status === failure.status && old.reason === failure.reason && old.message !== undefined;
  return isTold ? { ...failure, message: old.message } : failure;
}
