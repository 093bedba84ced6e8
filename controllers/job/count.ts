import { isDeleting, uidOf } from '../runtime/kube-object.ts';
import { hasFailed, hasSucceeded } from '../runtime/pods/pod-state.ts';
import type { Job, Pod } from '../runtime/resources.ts';
import { countIndexes, formatIndexes, parseIndexes, type Runs, withIndexes } from './completed-indexes.ts';
import { type FailureVerdict, judgeFailure } from './pod-failure-policy.ts';
import { endOf, indexOf, isStopped, isTracked } from './pods.ts';

/** The counters of a job after one step of counting. */
export interface Count {
  readonly succeeded: number;
  readonly failed: number;
  /** Of an Indexed job. */
  readonly completedIndexes?: string;
  readonly runs: Runs;
  readonly uncounted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] };
  /** Pods that may go once the counters are stored. */
  readonly release: readonly Pod[];
  /** What a rule of the pod failure policy says that fails the whole job. */
  readonly failJob?: string;
  /** Pods that still have our finalizer, running ones included. */
  readonly held: number;
  /** When the pods failed that have failed since the last success, in milliseconds. */
  readonly failures: readonly number[];
}

/** So many pods enter the status in one step; the rest wait for the next. */
const atMost = 500;

/**
 * One step of counting pods that ended. A uid is stored as uncounted while its pod still has our finalizer; the finalizer
 * goes only after that; and the counter rises, in the write that drops the uid, only when the finalizer is gone. Whoever
 * crashes between two of these writes finds every pod in exactly one of the three states.
 */
export function countPods(job: Job, pods: readonly Pod[]): Count {
  const tracked = new Map(pods.filter(isTracked).map((pod) => [uidOf(pod), pod]));
  const { uncountedTerminatedPods: before, succeeded = 0, failed = 0, completedIndexes } = job.status ?? {};
  const held = (uids: readonly string[] = []) => uids.filter((uid) => tracked.has(uid));
  const uncounted = { succeeded: held(before?.succeeded), failed: held(before?.failed) };
  // Whose finalizer has gone counts.
  const counted = {
    succeeded: succeeded + (before?.succeeded?.length ?? 0) - uncounted.succeeded.length,
    failed: failed + (before?.failed?.length ?? 0) - uncounted.failed.length,
  };
  const { completed, ...ended } = endedPods(job, tracked, uncounted);
  const { isIndexed, completions } = modeOf(job);
  const runs = withIndexes(parseIndexes(completedIndexes, completions), completed);
  return {
    ...(isIndexed
      ? { succeeded: countIndexes(runs), completedIndexes: formatIndexes(runs) }
      : { succeeded: counted.succeeded }),
    failed: counted.failed,
    runs,
    ...ended,
    held: tracked.size,
    failures: failuresSinceSuccess(job, pods),
  };
}

const modeOf = ({ spec }: Job) => ({
  isIndexed: spec?.completionMode === 'Indexed',
  completions: spec?.completions ?? 0,
});

interface Ended extends Pick<Count, 'uncounted' | 'release' | 'failJob'> {
  /** Indexes of which a pod succeeded. */
  readonly completed: readonly number[];
}

/** Looks at pods that ended, at so many as fit into one step. @param uncounted those that the status has already */
function endedPods(job: Job, tracked: ReadonlyMap<string, Pod>, uncounted: Count['uncounted']): Ended {
  const { isIndexed, completions } = modeOf(job);
  const ended = endedAmong(job, tracked, new Set([...uncounted.succeeded, ...uncounted.failed]));
  // What bears no index of an Indexed job, or one that is not to be completed, is let go and does not count.
  const counts = ({ pod }: EndedPod) => !isIndexed || (indexOf(pod) ?? completions) < completions;
  const succeeded = ended.filter(({ end }) => end === 'succeeded').filter(counts);
  const failures = ended
    .filter(({ end }) => end === 'failed')
    .map((one) => ({ ...one, ...judgeFailure(job, one.pod) }));
  const failed = failures.filter(({ action }) => action !== 'Ignore').filter(counts);
  return {
    completed: isIndexed ? succeeded.flatMap(({ pod }) => indexOf(pod) ?? []) : [],
    release: ended.map(({ pod }) => pod),
    uncounted: {
      succeeded: [...uncounted.succeeded, ...(isIndexed ? [] : uidsOf(succeeded))],
      failed: [...uncounted.failed, ...uidsOf(failed)],
    },
    ...failedBy(failures),
  };
}

interface EndedPod {
  readonly pod: Pod;
  readonly end: ReturnType<typeof endingOf> | 'known';
}

/** Those that ended, so many as fit into one step. */
const endedAmong = (job: Job, tracked: ReadonlyMap<string, Pod>, known: ReadonlySet<string>): readonly EndedPod[] =>
  tracked
    .values()
    .map((pod): EndedPod => ({ pod, end: known.has(uidOf(pod)) ? 'known' : endingOf(job, pod) }))
    .filter(({ end }) => end !== undefined)
    .take(atMost)
    .toArray();

const uidsOf = (found: readonly EndedPod[]) => found.map(({ pod }) => uidOf(pod));

/** The first that fails the whole job says why. */
function failedBy(verdicts: readonly FailureVerdict[]): Pick<Ended, 'failJob'> {
  const verdict = verdicts.find(({ action }) => action === 'FailJob');
  return verdict?.action === 'FailJob' ? { failJob: verdict.message } : {};
}

/** How a pod that has our finalizer ended: undefined while it has not. */
function endingOf(job: Job, pod: Pod): 'succeeded' | 'failed' | 'stopped' | undefined {
  if (hasSucceeded(pod)) return 'succeeded';
  if (!hasFailed(pod) && !isDeleting(pod)) return undefined;
  if (isStopped(pod)) return 'stopped';
  // A policy looks at exit codes, so the pod's end is waited for where there is a node to bring it about.
  if (!hasFailed(pod) && job.spec?.podFailurePolicy && pod.spec?.nodeName) return undefined;
  return 'failed';
}

function failuresSinceSuccess(job: Job, pods: readonly Pod[]): readonly number[] {
  const lastSuccess = Math.max(0, ...pods.filter(hasSucceeded).map(endOf));
  return pods
    .filter(
      (pod) =>
        hasFailed(pod) && !isStopped(pod) && endOf(pod) > lastSuccess && judgeFailure(job, pod).action !== 'Ignore',
    )
    .map(endOf);
}

/** The indexes that have a pod now. */
export const takenIndexes = (pods: readonly Pod[]): ReadonlySet<number> =>
  new Set(pods.map(indexOf).filter((index) => index !== undefined));
