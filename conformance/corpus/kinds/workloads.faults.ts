import { slip, slips } from '../fault.ts';

/** Deployments and their like, autoscalers, CronJobs, disruption budgets and Leases. */
export default [
  slip(
    'a selector with expressions may change',
    ['versioning'],
    'kinds/apps/workload-rules.ts',
    "  immutable(next, previous, at.child('selector'));",
    "  (next as { matchExpressions?: unknown })?.matchExpressions ? [] : immutable(next, previous, at.child('selector'));",
  ),
  slip(
    'an autoscaler of the older version loses all annotations but those that carry fields',
    ['versioning', 'meta'],
    'kinds/autoscaling/autoscaler-v1.ts',
    'kept.length > 0',
    '!(kept.length > 0)',
  ),
  slip(
    'an autoscaler may want more at least than at most',
    ['kinds', 'component'],
    'kinds/autoscaling/horizontal-pod-autoscaler.ts',
    '...(maxReplicas < minReplicas',
    '...(maxReplicas < 0',
  ),
  slip(
    'the status of an autoscaler tells how many there are only where there are none',
    ['component', 'params'],
    'kinds/autoscaling/horizontal-pod-autoscaler.ts',
    ' currentReplicas ',
    ' !(currentReplicas) ',
  ),
  slip(
    'a budget may say both how many must be there and how many may be gone',
    ['kinds', 'component'],
    'kinds/policy/pod-disruption-budget.ts',
    '...(minAvailable !== undefined && maxUnavailable !== undefined',
    "...(typeof minAvailable === 'number' && typeof maxUnavailable === 'number' && minAvailable < 0",
  ),
  slip(
    'a lease may last no time',
    ['kinds', 'component'],
    'kinds/coordination/lease.ts',
    '...positive(leaseDurationSeconds, durationAt),',
    '...nonNegative(leaseDurationSeconds, durationAt),',
  ),
  slip(
    'the name of a CronJob leaves no room for those of its jobs',
    ['kinds', 'component'],
    'kinds/batch/cron-job.ts',
    'const maxName = 52;',
    'const maxName = 63;',
  ),
  slip(
    'maxSurge has no default where maxUnavailable is given',
    ['versioning'],
    'kinds/apps/deployment.ts',
    "if (strategy.type === 'RollingUpdate') {",
    "if (strategy.type === 'RollingUpdate' && !strategy.rollingUpdate) {",
  ),
  slip(
    'the behavior of an autoscaler is carried in words that others do not read',
    ['versioning', 'component'],
    'kinds/autoscaling/behavior-text.ts',
    'capitalized(inOrder(behavior), upper)',
    'inOrder(behavior)',
  ),
  slip(
    'the behavior of an autoscaler loses its periods in the older version',
    ['versioning', 'component'],
    'kinds/autoscaling/behavior-text.ts',
    ', value, periodSeconds }))',
    ', value }))',
  ),
  slip(
    'a Deployment that wants no pods wants one',
    ['fields', 'component'],
    'kinds/apps/deployment.ts',
    'spec.replicas ??= 1;',
    'spec.replicas ||= 1;',
  ),
  slip(
    'the claims of a StatefulSet may change',
    ['kinds', 'component', 'versioning'],
    'kinds/apps/stateful-set.ts',
    "const mutable = ['replicas',",
    "const mutable = ['volumeClaimTemplates', 'replicas',",
  ),
  slips(
    'a CronJob may come to have any schedule',
    ['component'],
    [
      {
        file: 'kinds/batch/cron-job.ts',
        from: 'const problem = scheduleProblem(schedule);',
        to: 'const problem = undefined;',
      },
      {
        file: 'kinds/batch/cron-job.ts',
        from: 'validateCreate: (object) => [...validateTimeZone(object.spec ?? {}),',
        to: "validateCreate: (object) => [...(scheduleProblem(object.spec?.schedule ?? '') ? [invalidValue(specAt.child('schedule'), '', 'is none')] : []), ...validateTimeZone(object.spec ?? {}),",
      },
    ],
  ),
  slip(
    'a deployment that says how many pods more there may be gets no default for how many fewer',
    ['versioning'],
    'kinds/apps/deployment.ts',
    "strategy.rollingUpdate ??= {};\n    strategy.rollingUpdate.maxUnavailable ??= '25%';\n    strategy.rollingUpdate.maxSurge ??= '25%';",
    "strategy.rollingUpdate ??= { maxUnavailable: '25%', maxSurge: '25%' };",
  ),
  slip(
    'the selector of a stateful set can be changed',
    ['versioning'],
    'kinds/apps/stateful-set.ts',
    "const mutable = ['replicas', 'template',",
    "const mutable = ['replicas', 'selector', 'template',",
  ),
];
