import { finishedAt, holds, isFinished } from '../job/conditions.ts';
import { formatTime } from '../runtime/clock.ts';
import type { Note } from '../runtime/events.ts';
import {
  isDeleting,
  managedBy,
  millisecondsOf,
  nameOf,
  namespaceOf,
  uidOf,
  versionOf,
} from '../runtime/kube-object.ts';
import type { CronJob, Job } from '../runtime/resources.ts';
import type { Schedule } from './schedule.ts';

type Status = NonNullable<CronJob['status']>;

type News = Pick<Note, 'type' | 'reason' | 'note'>;

/** What to do for a cron job, in this order. */
export interface CronJobPlan {
  /** Running jobs that the next one takes the place of. */
  readonly replace: readonly Job[];
  /** The job of the last scheduled time. */
  readonly create?: Job;
  /** When that job was scheduled, in milliseconds. */
  readonly scheduled?: number;
  /** Why no job begins, or what was missed, for people. */
  readonly news?: News;
  /** Jobs beyond the history limits. */
  readonly forget: readonly Job[];
  /** Milliseconds until the next scheduled time. */
  readonly checkAgainAfter?: number;
}

/** After so many missed times somebody is told: a clock is wrong, or nobody was at work for long. */
const manyMissed = 100;
/** Timers may be a little early; a job must not. */
const grace = 100;

export function planCronJob(cronJob: CronJob, jobs: readonly Job[], schedule: Schedule, now: number): CronJobPlan {
  const { spec, status } = cronJob;
  const plan = { forget: forgotten(cronJob, jobs), replace: [] };
  if (spec?.suspend) return plan;
  const since = millisecondsOf(status?.lastScheduleTime) ?? millisecondsOf(cronJob.metadata?.creationTimestamp) ?? now;
  const last = schedule.last(since, now);
  // From the last time on, not from now: `@every` would begin anew with each look.
  const next = schedule.next(last ?? since);
  const later = { ...plan, ...(next !== undefined && { checkAgainAfter: Math.max(0, next - now) + grace }) };
  const deadline = spec?.startingDeadlineSeconds;
  const earliest = deadline === undefined || deadline === null ? since : Math.max(since, now - deadline * 1_000);
  const scheduled = last !== undefined && last > earliest ? last : undefined;
  if (scheduled === undefined) return later;
  const active = running(cronJob, jobs);
  const name = jobName(cronJob, scheduled);
  if (jobs.some((job) => nameOf(job) === name)) return { ...later, scheduled };
  if (spec?.concurrencyPolicy === 'Forbid' && active.length > 0) {
    const note = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    return { ...later, news: { type: 'Normal', reason: 'JobAlreadyActive', note } };
  }
  return {
    ...later,
    replace: spec?.concurrencyPolicy === 'Replace' ? active : [],
    create: jobFor(cronJob, name),
    scheduled,
    ...missedNews(schedule, earliest, now),
  };
}

/** Those that it started itself, by their names: one that somebody made of its template by hand is that one's business. */
const running = (cronJob: CronJob, jobs: readonly Job[]): readonly Job[] =>
  jobs.filter((job) => {
    const stem = `${nameOf(cronJob)}-`;
    return !isFinished(job) && nameOf(job).startsWith(stem) && /^\d+$/.test(nameOf(job).slice(stem.length));
  });

/** What has happened since the status was written to the jobs that it calls active, for people. */
export function endings({ status }: CronJob, jobs: readonly Job[]): readonly News[] {
  return (status?.active ?? []).flatMap(({ uid, name = '' }): News[] => {
    const job = jobs.find((each) => uidOf(each) === uid);
    if (!job) return [{ reason: 'MissingJob', note: `Active job went missing: ${name}` }];
    if (!isFinished(job)) return [];
    const end = holds(job, 'Complete') ? 'Complete' : 'Failed';
    return [{ reason: 'SawCompletedJob', note: `Saw completed job: ${name}, status: ${end}` }];
  });
}

function missedNews(schedule: Schedule, earliest: number, now: number): Pick<CronJobPlan, 'news'> {
  let time = schedule.next(earliest);
  let missed = 0;
  for (; time !== undefined && time <= now && missed <= manyMissed; time = schedule.next(time)) missed += 1;
  if (missed <= manyMissed) return {};
  const note = `more than ${manyMissed} start times were missed; set .spec.startingDeadlineSeconds or check the clock`;
  return { news: { type: 'Warning', reason: 'TooManyMissedTimes', note } };
}

/** The same time gives the same name, so that no time starts two jobs. */
export const jobName = (cronJob: CronJob, scheduled: number): string =>
  `${nameOf(cronJob)}-${Math.floor(scheduled / 60_000)}`;

function jobFor(cronJob: CronJob, name: string): Job {
  const { metadata, spec } = cronJob.spec?.jobTemplate ?? {};
  return {
    metadata: {
      name,
      namespace: namespaceOf(cronJob),
      labels: { ...metadata?.labels },
      annotations: { ...metadata?.annotations },
      ownerReferences: [managedBy(cronJob, 'batch/v1', 'CronJob')],
    },
    ...(spec && { spec }),
  };
}

/** Finished jobs beyond the limits, the oldest of each outcome first. */
function forgotten({ spec }: CronJob, jobs: readonly Job[]): readonly Job[] {
  const beyond = (outcome: string, limit: number | undefined) => {
    const all = jobs.filter((job) => holds(job, outcome) && !isDeleting(job));
    const over = limit === undefined || limit === null ? 0 : all.length - limit;
    return over > 0 ? [...all].sort(byStart).slice(0, over) : [];
  };
  return [...beyond('Complete', spec?.successfulJobsHistoryLimit), ...beyond('Failed', spec?.failedJobsHistoryLimit)];
}

const startOf = (job: Job) => millisecondsOf(job.status?.startTime ?? job.metadata?.creationTimestamp) ?? 0;
const byStart = (a: Job, b: Job): number => startOf(a) - startOf(b) || (nameOf(a) < nameOf(b) ? -1 : 1);

/** The status with these jobs; undefined when it is stored already. */
export function statusWith(cronJob: CronJob, jobs: readonly Job[], scheduled: number | undefined): Status | undefined {
  const { status } = cronJob;
  const active = running(cronJob, jobs)
    .toSorted(byStart)
    .map((job) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      namespace: namespaceOf(job),
      name: nameOf(job),
      uid: uidOf(job),
      resourceVersion: versionOf(job),
    }));
  const ends = jobs.filter((job) => holds(job, 'Complete')).map((job) => millisecondsOf(finishedAt(job)) ?? 0);
  const lastSuccess = Math.max(millisecondsOf(status?.lastSuccessfulTime) ?? 0, ...ends);
  const next: Status = {
    ...status,
    active,
    ...(scheduled !== undefined && { lastScheduleTime: formatTime(scheduled) }),
    ...(lastSuccess > 0 && { lastSuccessfulTime: formatTime(lastSuccess) }),
  };
  return same(status, next) ? undefined : next;
}

const same = (before: Status | undefined, next: Status): boolean =>
  before?.lastScheduleTime === next.lastScheduleTime &&
  before?.lastSuccessfulTime === next.lastSuccessfulTime &&
  (before?.active ?? []).map(({ uid }) => uid).join() === (next.active ?? []).map(({ uid }) => uid).join();
