import { waitAfter } from '../runtime/backoff.ts';
import { millisecondsOf } from '../runtime/kube-object.ts';
import { isAlive, leastDoneFirst } from '../runtime/pods/pod-state.ts';
import type { Job, Pod } from '../runtime/resources.ts';
import { freeIndexes } from './completed-indexes.ts';
import { conditionOf, isFinished, type Verdict } from './conditions.ts';
import { type Count, countPods, takenIndexes } from './count.ts';
import { indexOf } from './pods.ts';
import { complete, failureTarget, type JobStatus, nextStatus, policyFailure } from './status.ts';

/** What to do for a job, in this order. Doing a part of it and planning again leads to the same end. */
export interface JobPlan {
  /** Pods to stop without calling it a failure: first marked, then deleted. */
  readonly stop: readonly Pod[];
  /** Pods to delete because the job has failed; they count as failed. */
  readonly delete: readonly Pod[];
  /** The status to store; undefined when it is stored already. */
  readonly status?: JobStatus;
  /** Pods whose finalizer may go, once the status is stored. */
  readonly release: readonly Pod[];
  /** New pods: their indexes, or undefined for each pod of a job without. */
  readonly create: readonly (number | undefined)[];
  /** Milliseconds after which time alone changes the plan. */
  readonly checkAgainAfter?: number;
  /** What to tell people. */
  readonly news: readonly Verdict[];
}

/** The wait before a failed pod is replaced: longer with each failure since the last success. */
const retryBackoff = { first: 10_000, most: 360_000 };
/** Pods created or deleted in one step. */
const atMost = 500;

export function planJob(job: Job, pods: readonly Pod[], now: number): JobPlan {
  const count = countPods(job, pods);
  if (isFinished(job)) return { stop: [], delete: [], release: count.release, create: [], news: [] };
  const active = pods.filter(isAlive);
  const verdict = verdictOf(job, { active, count }, now);
  const suspended = Boolean(job.spec?.suspend) && !verdict;
  const stop = verdict?.type === 'Failed' ? [] : surplusOf(job, active, count, suspended || Boolean(verdict));
  const wait = verdict || suspended ? 0 : waitBeforeCreating(count.failures, now);
  const create = verdict || suspended || wait > 0 ? [] : missingPods(job, active, count, stop.length);
  const { status, news } = nextStatus(job, { count, active, verdict }, now);
  const deadline = deadlineOf(job);
  const waits = [wait, deadline === undefined || verdict ? 0 : deadline - now].filter((each) => each > 0);
  return {
    stop: stop.slice(0, atMost),
    delete: verdict?.type === 'Failed' ? active.slice(0, atMost) : [],
    ...(status && { status }),
    release: count.release,
    create: create.slice(0, atMost),
    ...(waits.length > 0 && { checkAgainAfter: Math.min(...waits) }),
    news,
  };
}

interface Sight {
  readonly active: readonly Pod[];
  readonly count: Count;
}

/**
 * Whether the job has come to its end, and why; it is stored when the last pod is counted. One that has failed has failed,
 * however many of its pods succeeded meanwhile.
 */
function verdictOf(job: Job, { count, active }: Sight, now: number): Verdict | undefined {
  const { completions, backoffLimit = 6 } = job.spec ?? {};
  const target = conditionOf(job, failureTarget);
  if (target?.status === 'True') return failed(target.reason ?? '', target.message ?? '');
  if (count.failJob !== undefined) return failed(policyFailure, count.failJob);
  const tooManyRestarts = restartsOf(job, active) >= Math.max(1, backoffLimit);
  if (count.failed + count.uncounted.failed.length > backoffLimit || tooManyRestarts) {
    return failed('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  const deadline = job.spec?.suspend ? undefined : deadlineOf(job);
  if (deadline !== undefined && now >= deadline) {
    return failed('DeadlineExceeded', 'Job was active longer than specified deadline');
  }
  const succeeded = count.succeeded + count.uncounted.succeeded.length;
  const isComplete =
    completions === undefined || completions === null ? succeeded > 0 && active.length === 0 : succeeded >= completions;
  return isComplete ? complete : undefined;
}

const failed = (reason: string, message: string): Verdict => ({ type: 'Failed', reason, message });

/** Where containers are restarted in their pods each restart is a retry. */
function restartsOf(job: Job, active: readonly Pod[]): number {
  if (job.spec?.template?.spec?.restartPolicy !== 'OnFailure') return 0;
  return active
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
}

function deadlineOf({ spec, status }: Job): number | undefined {
  const start = millisecondsOf(status?.startTime);
  const seconds = spec?.activeDeadlineSeconds;
  return start === undefined || seconds === undefined || seconds === null ? undefined : start + seconds * 1000;
}

/** How many pods should run now. */
function wantedOf(job: Job, active: number, count: Count): number {
  const { parallelism = 1, completions } = job.spec ?? {};
  const succeeded = count.succeeded + count.uncounted.succeeded.length;
  // Without completions the first success is the signal to finish: those that run may, nobody follows them.
  if (completions === undefined || completions === null)
    return succeeded > 0 ? Math.min(active, parallelism) : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** Pods that should not run: all of a suspended or complete job, else those over the wanted number and second ones of an index. */
function surplusOf(job: Job, active: readonly Pod[], count: Count, all: boolean): readonly Pod[] {
  if (all) return active;
  const doubles = job.spec?.completionMode === 'Indexed' ? doublesOf(active) : [];
  const rest = active.filter((pod) => !doubles.includes(pod));
  const over = rest.length - wantedOf(job, rest.length, count);
  return over > 0 ? [...doubles, ...leastDoneFirst(rest).slice(0, over)] : doubles;
}

function doublesOf(active: readonly Pod[]): readonly Pod[] {
  const seen = new Set<number>();
  return [...leastDoneFirst(active)].reverse().filter((pod) => {
    const index = indexOf(pod) ?? -1;
    const again = index < 0 || seen.has(index);
    seen.add(index);
    return again;
  });
}

function missingPods(
  job: Job,
  active: readonly Pod[],
  count: Count,
  stopping: number,
): readonly (number | undefined)[] {
  const missing = wantedOf(job, active.length, count) - (active.length - stopping);
  if (missing <= 0) return [];
  if (job.spec?.completionMode !== 'Indexed') return Array.from({ length: missing }, () => undefined);
  return freeIndexes(count.runs, takenIndexes(active), job.spec.completions ?? 0, missing);
}

function waitBeforeCreating(failures: readonly number[], now: number): number {
  if (failures.length === 0) return 0;
  return Math.max(0, Math.max(...failures) + waitAfter(failures.length, retryBackoff) - now);
}
