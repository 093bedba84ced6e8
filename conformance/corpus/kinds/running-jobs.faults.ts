import { slip } from '../fault.ts';

const plan = '../controllers/job/plan.ts';

/** What becomes of a Job whose pods fail: what counts, when it ends, what it tells of itself meanwhile. */
export default [
  slip(
    'a Job that waits before it tries again has no active pods',
    ['job'],
    plan,
    'active: active.length,\n    ready:',
    'active: waitBeforeCreating(count.failures, now) > 0 ? 0 : active.length,\n    ready:',
  ),
  slip(
    'a Job ends before its last pods are counted',
    ['job'],
    plan,
    'if (verdict && active.length === 0 && isAllCounted(count)) {',
    'if (verdict && active.length === 0) {',
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
    "if (counts && verdict.action !== 'Ignore') failed.push(uidOf(pod));",
    'if (counts) failed.push(uidOf(pod));',
  ),
  slip(
    'a Job runs as many pods at once as it may though fewer are left to do',
    ['job'],
    '../controllers/job/plan.ts',
    'return Math.max(0, Math.min(parallelism, completions - succeeded));',
    'return succeeded < completions ? parallelism : 0;',
  ),
];
