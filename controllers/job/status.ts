import { formatTime } from '../runtime/clock.ts';
import { isReady } from '../runtime/pods/pod-state.ts';
import type { Job, Pod } from '../runtime/resources.ts';
import { holds, type JobCondition, type Verdict, withCondition } from './conditions.ts';
import type { Count } from './count.ts';

export type JobStatus = NonNullable<Job['status']>;

/** Says through which condition a job fails that is still counting its last pods. */
export const failureTarget = 'FailureTarget';
export const policyFailure = 'PodFailurePolicy';

interface Outlook {
  readonly count: Count;
  readonly active: readonly Pod[];
  readonly verdict: Verdict | undefined;
}

interface Next {
  /** The status to store; undefined when it is stored already. */
  readonly status?: JobStatus;
  /** What to tell people. */
  readonly news: readonly Verdict[];
}

/** The status after the turn that a job takes now: its conditions and times, and what was counted. */
export function nextStatus(job: Job, outlook: Outlook, now: number): Next {
  const { count, active } = outlook;
  const { startTime: started, completionTime: completed, conditions: known = [], ...before } = job.status ?? {};
  const turn = turns[turnOf(job, outlook)](outlook.verdict ?? complete, formatTime(now));
  const { news = [], conditions = news, drop, startTime = started, completionTime = completed } = turn;
  const kept = known.filter(({ type }) => type !== drop);
  const next = conditions.reduce<readonly JobCondition[]>((all, each) => withCondition(all, each, now), kept);
  const start = job.spec?.suspend ? startTime : startTime || formatTime(now);
  const status: JobStatus = {
    ...before,
    ...(next.length > 0 && { conditions: [...next] }),
    ...(start && { startTime: start }),
    ...(completionTime !== undefined && { completionTime }),
    active: active.length,
    ready: active.filter(isReady).length,
    succeeded: count.succeeded,
    failed: count.failed,
    ...(count.completedIndexes && { completedIndexes: count.completedIndexes }),
    uncountedTerminatedPods: { succeeded: [...count.uncounted.succeeded], failed: [...count.uncounted.failed] },
  };
  return isSame(job.status ?? {}, status) ? { news } : { status, news };
}

export const complete: Verdict = { type: 'Complete', reason: '', message: '' };
const suspended: Verdict = { type: 'Suspended', reason: 'JobSuspended', message: 'Job suspended' };
const resumed: Verdict = { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' };

type Turn = 'ends' | 'fails' | 'pauses' | 'resumes' | 'goes on';

function turnOf(job: Job, { verdict, active, count }: Outlook): Turn {
  if (verdict && active.length === 0 && isAllCounted(count)) return 'ends';
  if (verdict) return verdict.type === 'Failed' && !holds(job, failureTarget) ? 'fails' : 'goes on';
  const isSuspended = Boolean(job.spec?.suspend);
  if (isSuspended === holds(job, 'Suspended')) return 'goes on';
  return isSuspended ? 'pauses' : 'resumes';
}

/** What a turn changes. */
interface Change {
  readonly news?: readonly Verdict[];
  /** Conditions that hold from now on. Missing: those that are news. */
  readonly conditions?: readonly Verdict[];
  /** The type of a condition that goes. */
  readonly drop?: string;
  /** Empty: it has not begun. */
  readonly startTime?: string;
  readonly completionTime?: string;
}

const turns: Readonly<Record<Turn, (verdict: Verdict, time: string) => Change>> = {
  ends: (verdict, time) => ({
    news: [verdict],
    // What it was told by while pods were counted; only a policy's verdict keeps it.
    ...(verdict.reason !== policyFailure && { drop: failureTarget }),
    ...(verdict.type === 'Complete' && { completionTime: time }),
  }),
  fails: (verdict) => ({ conditions: [{ ...verdict, type: failureTarget }] }),
  pauses: () => ({ news: [suspended], startTime: '' }),
  resumes: (_, time) => ({ news: [resumed], startTime: time }),
  'goes on': () => ({}),
};

const isAllCounted = ({ held, uncounted }: Count): boolean =>
  held + uncounted.succeeded.length + uncounted.failed.length === 0;

/** Whether two statuses say the same: the server leaves out zeros and empty lists. */
const isSame = (before: JobStatus, next: JobStatus): boolean => {
  const text = ({ uncountedTerminatedPods: uncounted, ...rest }: JobStatus) => {
    const {
      active = 0,
      ready = 0,
      succeeded = 0,
      failed = 0,
      startTime = '',
      completionTime = '',
      completedIndexes = '',
    } = rest;
    return JSON.stringify([
      [active, ready, succeeded, failed, startTime, completionTime, completedIndexes],
      [uncounted?.succeeded ?? [], uncounted?.failed ?? []],
      (rest.conditions ?? []).map(({ type, status, reason, message }) => [type, status, reason ?? '', message ?? '']),
    ]);
  };
  return text(before) === text(next);
};
