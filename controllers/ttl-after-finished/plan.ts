import { finishedAt } from '../job/conditions.ts';
import { millisecondsOf } from '../runtime/kube-object.ts';
import type { Job } from '../runtime/resources.ts';

/** Milliseconds until a finished job is to be deleted, 0 when it is time; undefined when it stays. */
export function waitBeforeDeletion(job: Job, now: number): number | undefined {
  const seconds = job.spec?.ttlSecondsAfterFinished;
  const finished = millisecondsOf(finishedAt(job));
  if (seconds === undefined || seconds === null || finished === undefined || job.metadata?.deletionTimestamp)
    return undefined;
  return Math.max(0, finished + seconds * 1000 - now);
}
