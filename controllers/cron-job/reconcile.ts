import { isAlreadyExists, isNamespaceTerminating } from '../runtime/api-error.ts';
import { itself, type Loop, managerOf, type Reconciler, type Request } from '../runtime/controller.ts';
import { isDeleting, nameOf, uidOf } from '../runtime/kube-object.ts';
import { forEach } from '../runtime/many.ts';
import { type CronJob, cronJobs, type Job, jobs } from '../runtime/resources.ts';
import { endings, planCronJob, statusWith } from './plan.ts';
import { parseSchedule, type Schedule } from './schedule.ts';

/** Starts a job at each scheduled time. */
const reconcile: Reconciler = async (request) => {
  const { key, read, events, clock } = request;
  const cronJob = read(cronJobs).find(key);
  if (!cronJob || isDeleting(cronJob)) return undefined;
  const schedule = scheduleOf(request, cronJob);
  if (!schedule) return undefined;
  const owned = () => read(jobs).ownedBy(uidOf(cronJob));
  const plan = planCronJob(cronJob, owned(), schedule, clock.now());
  await forEach(plan.replace, (job) => remove(request, cronJob, job));
  if (plan.news) events.record(cronJob, { ...plan.news, action: 'Scheduling' });
  const failure: unknown = plan.create && (await start(request, cronJob, plan.create).catch((error) => error));
  // The time of a job that could not be started comes again.
  const scheduled = failure ? undefined : plan.scheduled;
  await tell(request, cronJob, { left: owned(), replaced: plan.replace, scheduled });
  // Last, since the status tells of their ends.
  await forEach(plan.forget, (job) => remove(request, cronJob, job));
  if (failure) throw failure;
  return plan.checkAgainAfter;
};

interface Told {
  readonly left: readonly Job[];
  readonly replaced: readonly Job[];
  readonly scheduled: number | undefined;
}

/** Tells by the same jobs by which the status forgets them, but not of those that went by our own hand. */
async function tell({ write, events }: Request, cronJob: CronJob, { left, replaced, scheduled }: Told): Promise<void> {
  for (const news of endings(cronJob, [...left, ...replaced]))
    events.record(cronJob, { ...news, action: 'Scheduling' });
  const status = statusWith(cronJob, left, scheduled);
  if (status) await write(cronJobs).replace(cronJob, { ...cronJob, status }, 'status');
}

/** A schedule that makes no sense stays as it is until somebody changes it. */
function scheduleOf({ events }: Request, cronJob: CronJob): Schedule | undefined {
  const { schedule = '', timeZone } = cronJob.spec ?? {};
  try {
    return parseSchedule(schedule, timeZone ?? undefined);
  } catch (error) {
    const note = `unparseable schedule: ${error instanceof Error ? error.message : error}`;
    events.record(cronJob, { type: 'Warning', reason: 'UnparseableSchedule', action: 'Scheduling', note });
    return undefined;
  }
}

/** The name stands for the time: a job that has it already was started before, by us. */
async function start({ write, events }: Request, cronJob: CronJob, job: Job): Promise<void> {
  try {
    await write(jobs).create(job);
  } catch (error) {
    if (isAlreadyExists(error) || isNamespaceTerminating(error)) return;
    const note = `Error creating job: ${error instanceof Error ? error.message : error}`;
    events.record(cronJob, { type: 'Warning', reason: 'FailedCreate', action: 'Creating', note });
    throw error;
  }
  events.record(cronJob, { reason: 'SuccessfulCreate', action: 'Creating', note: `Created job ${nameOf(job)}` });
}

async function remove({ write, events }: Request, cronJob: CronJob, job: Job): Promise<void> {
  await write(jobs).delete(job, { propagationPolicy: 'Background' });
  events.record(cronJob, { reason: 'SuccessfulDelete', action: 'Deleting', note: `Deleted job ${nameOf(job)}` });
}

export const cronJobLoops: readonly Loop[] = [
  { name: 'cronjob', watches: [itself(cronJobs), managerOf(jobs, 'CronJob')], concurrency: 5, reconcile },
];
