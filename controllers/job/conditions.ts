import { formatTime } from '../runtime/clock.ts';
import type { Job } from '../runtime/resources.ts';

export type JobCondition = NonNullable<NonNullable<Job['status']>['conditions']>[number];

export const conditionOf = (job: Job, type: string): JobCondition | undefined =>
  job.status?.conditions?.find((condition) => condition.type === type);

export const holds = (job: Job, type: string): boolean => conditionOf(job, type)?.status === 'True';

export const isFinished = (job: Job): boolean => holds(job, 'Complete') || holds(job, 'Failed');

/** When the job got its last condition that ended it, as a text; undefined while it runs. */
export const finishedAt = (job: Job): string | undefined =>
  job.status?.conditions?.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True')
    ?.lastTransitionTime;

/** A condition and why it holds. */
export interface Verdict {
  readonly type: string;
  readonly status?: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The conditions with one more, or with the one of that type changed; the time moves only with the status. */
export function withCondition(
  conditions: readonly JobCondition[],
  verdict: Verdict,
  now: number,
): readonly JobCondition[] {
  const { type, status = 'True', reason, message } = verdict;
  const before = conditions.find((condition) => condition.type === type);
  if (before?.status === status && before.reason === reason && before.message === message) return conditions;
  const time = formatTime(now);
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : time;
  const next = {
    type,
    status,
    lastProbeTime: time,
    ...(lastTransitionTime && { lastTransitionTime }),
    reason,
    message,
  };
  return before ? conditions.map((each) => (each === before ? next : each)) : [...conditions, next];
}
