import { slip } from '../fault.ts';

const plan = '../controllers/job/plan.ts';

/** What becomes of a Job whose pods fail: what counts, when it ends, what it tells of itself meanwhile. */
export default [
  slip(
    'a Job that waits before it tries again has no active pods',
    ['job'],
    plan,
    'nextStatus(job, { count, active, verdict }, now)',
    'nextStatus(job, { count, active: wait > 0 ? [] : active, verdict }, now)',
  ),
  slip(
    'a Job ends before its last pods are counted',
    ['job'],
    '../controllers/job/status.ts',
    'if (verdict && active.length === 0 && isAllCounted(count))',
    'if (verdict && active.length === 0)',
  ),
  slip(
    'restarts within the pods of a Job are no retries',
    ['job'],
    plan,
    "if (job.spec?.template?.spec?.restartPolicy !== 'OnFailure') return 0;",
    'if (active.length >= 0) return 0;',
  ),
  slip(
    'a failure that a policy ignores counts as one',
    ['job'],
    '../controllers/job/count.ts',
    "failures.filter(({ action }) => action !== 'Ignore').filter(counts)",
    'failures.filter(counts)',
  ),
  slip(
    'a Job runs as many pods at once as it may though fewer are left to do',
    ['job'],
    '../controllers/job/plan.ts',
    'return Math.max(0, Math.min(parallelism, completions - succeeded));',
    'return succeeded < completions ? parallelism : 0;',
  ),
  slip(
    'a Job that has failed counts its last pods as active for ever',
    ['job'],
    '../controllers/job/status.ts',
    'active: active.length,\n    ready:',
    "active: outlook.verdict?.type === 'Failed' ? (job.status?.active ?? 0) : active.length,\n    ready:",
  ),
  slip(
    'a Job that has ended counts its last pods as ready for ever',
    ['job'],
    '../controllers/job/status.ts',
    'ready: active.filter(isReady).length,',
    'ready: active.length > 0 ? active.filter(isReady).length : (job.status?.ready ?? 0),',
  ),
  slip(
    'a Job whose time is over says that it has failed too often',
    ['job'],
    '../controllers/job/plan.ts',
    "failed('DeadlineExceeded',",
    "failed('BackoffLimitExceeded',",
  ),
  slip(
    'a Job that has failed too often says that its time is over',
    ['job'],
    '../controllers/job/plan.ts',
    "failed('BackoffLimitExceeded',",
    "failed('DeadlineExceeded',",
  ),
  slip(
    'a Job without completions starts pods after its first success',
    ['job'],
    '../controllers/job/plan.ts',
    'return succeeded > 0 ? Math.min(active, parallelism) : parallelism;',
    'return parallelism;',
  ),
  slip(
    'a Job knows of pods that have succeeded as long as they are there',
    ['job'],
    '../controllers/job/count.ts',
    'succeeded: succeeded + (before?.succeeded?.length ?? 0) - uncounted.succeeded.length,',
    'succeeded: pods.filter((pod) => hasSucceeded(pod) && !isTracked(pod)).length,',
  ),
  slip(
    'a Job runs an index again whose pod is gone',
    ['job'],
    '../controllers/job/count.ts',
    'withIndexes(parseIndexes(completedIndexes, completions), completed)',
    'withIndexes(\n    parseIndexes(undefined, completions),\n    [...completed, ...pods.filter(hasSucceeded).flatMap((pod) => indexOf(pod) ?? [])],\n  )',
  ),
  slip(
    'a Job whose time to stay is over leaves its pods behind',
    ['job'],
    '../controllers/ttl-after-finished/reconcile.ts',
    "propagationPolicy: 'Foreground'",
    "propagationPolicy: 'Orphan'",
  ),
];
