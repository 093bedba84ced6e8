import { slip } from '../fault.ts';

const podFailurePolicy = 'kinds/batch/pod-failure-policy.ts';
const jobPodFailurePolicy = '../controllers/job/pod-failure-policy.ts';

/** Pod failure policies of a Job. */
export default [
  slip(
    'values of exit codes may stand in any order',
    ['job'],
    podFailurePolicy,
    'return ascending ? errors :',
    'return ascending || values.length > 0 ? errors :',
  ),
  slip(
    'a pattern of pod conditions has no status unless it is said',
    ['job'],
    podFailurePolicy,
    "pattern.status ||= 'True';",
    "pattern.status ||= 'Unknown';",
  ),
  slip(
    'a failure policy may stand beside restarts',
    ['job'],
    podFailurePolicy,
    "restartPolicy === 'Never' ? []",
    'restartPolicy ? []',
  ),
  slip(
    'success may be among the codes by which a Job fails',
    ['job'],
    podFailurePolicy,
    "if (operator === 'In' && value === 0)",
    "if (operator === 'In' && value < 0)",
  ),
  slip(
    'a rule for failed pods may look at both codes and conditions',
    ['job'],
    podFailurePolicy,
    'if (onExitCodes && onPodConditions.length > 0)\n',
    'if (onExitCodes && onPodConditions.length > 20)\n',
  ),
  slip(
    'a policy for failed pods may have twenty-one rules',
    ['job', 'component'],
    podFailurePolicy,
    'maxRules = 20;\nconst ',
    'maxRules = 21;\nconst ',
  ),
  slip(
    'a failure policy does not look at init containers',
    ['job'],
    jobPodFailurePolicy,
    '[...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]',
    '[...(status?.containerStatuses ?? [])]',
  ),
  slip(
    'a failure policy knows conditions that are true alone',
    ['job'],
    jobPodFailurePolicy,
    "status === (pattern.status ?? 'True'),",
    "status === 'True' && pattern.status !== 'False',",
  ),
  slip(
    'of the conditions that a failure policy names the first is looked for',
    ['job'],
    jobPodFailurePolicy,
    'for (const pattern of onPodConditions ?? []) {',
    'for (const pattern of (onPodConditions ?? []).slice(0, 1)) {',
  ),
  slip(
    'the failure policy of a Job may change',
    ['job'],
    'kinds/batch/job-spec.ts',
    "  ...immutable(next.podFailurePolicy, previous.podFailurePolicy, at.child('podFailurePolicy')),\n",
    '',
  ),
  slip(
    'a policy for failed pods is dropped only where it is asked for',
    ['job', 'component'],
    'kinds/batch/job.ts',
    "!features.enabled('JobPodFailurePolicy'))",
    "(features.enabled('JobPodFailurePolicy')))",
  ),
  slip(
    'an exit code may be named twice',
    ['job'],
    'kinds/batch/pod-failure-policy.ts',
    'if (seen.has(value)) errors',
    'if (seen.has(-1)) errors',
  ),
  slip(
    'a job that is updated with a pod failure policy is refused though the feature is off',
    ['job'],
    'kinds/batch/job.ts',
    "if (!features.enabled('JobPodFailurePolicy') && !previous.spec?.podFailurePolicy) delete next.spec?.podFailurePolicy;",
    '',
  ),
  slip(
    'a rule for failed pods may have twenty-one patterns',
    'job',
    podFailurePolicy,
    'const maxPatterns = 20;',
    'const maxPatterns = 21;',
  ),
];
