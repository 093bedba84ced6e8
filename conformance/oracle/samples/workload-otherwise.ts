import { condition, each, many, type Otherwise, specs, statuses } from './otherwise.ts';
import { podFresh, schedules } from './pod-otherwise.ts';

const exitCodes = (values: readonly number[], more: object = {}): object => ({
  action: 'Ignore',
  onExitCodes: { operator: 'In', values, ...more },
});
const onCondition = (type: string): object => ({ type, status: 'True' });
const policy = (...rules: readonly object[]): object => ({ podFailurePolicy: { rules } });

const job: Otherwise = {
  states: specs(
    { completionMode: 'Indexed' },
    policy(exitCodes([1, 2])),
    { suspend: false, ttlSecondsAfterFinished: null, activeDeadlineSeconds: 60 },
    {
      manualSelector: true,
      selector: { matchLabels: { app: 'mine' } },
      template: { metadata: { labels: { app: 'mine' } } },
    },
  ),
  odd: specs(
    { selector: { matchLabels: { app: 'mine' } } },
    { manualSelector: true },
    { manualSelector: true, selector: { matchLabels: { app: 'other' } } },
    { completions: null },
    { completions: 0 },
    { completions: -1 },
    { completions: 5 },
    { parallelism: 0 },
    { parallelism: -1 },
    { backoffLimit: 0 },
    { backoffLimit: -1 },
    { activeDeadlineSeconds: 0 },
    { activeDeadlineSeconds: -5 },
    { activeDeadlineSeconds: 700 },
    { ttlSecondsAfterFinished: -1 },
    { ttlSecondsAfterFinished: 0 },
    { completionMode: 'NonIndexed' },
    { completionMode: 'Other' },
    { completionMode: 'Indexed', completions: null },
    { completionMode: 'Indexed', parallelism: 100_001 },
    { template: { spec: { restartPolicy: 'Always' } } },
    { template: { spec: { restartPolicy: 'OnFailure' } } },
    { template: { metadata: { labels: { more: 'yes' } } } },
    { template: { spec: { nodeSelector: { 'example.com/disk': 'slow' } } } },
    { template: { spec: { containers: [] } } },
    { podFailurePolicy: { rules: [] } },
    policy(exitCodes([])),
    policy(exitCodes([2, 1])),
    policy(exitCodes([1, 1])),
    policy(exitCodes([0, 1])),
    policy(exitCodes([0, 1], { operator: 'NotIn' })),
    policy(exitCodes([1], { operator: 'Over' })),
    policy(exitCodes([1], { containerName: 'main' })),
    policy(exitCodes([1], { containerName: 'nobody' })),
    policy(exitCodes(many(256, (at) => at + 1))),
    policy({ action: 'FailJob', onPodConditions: [onCondition('DisruptionTarget')] }),
    policy({ action: 'FailJob', onPodConditions: [{ type: 'Some' }] }),
    policy({ action: 'FailJob', onPodConditions: many(21, (at) => onCondition(`C${at}`)) }),
    policy({ ...exitCodes([1]), onPodConditions: [onCondition('Some')] }),
    policy({ action: 'Count', onPodConditions: [{ type: 'a b', status: 'Perhaps' }] }),
    policy({ action: 'Nothing', onPodConditions: [onCondition('Some')] }),
    policy({ action: 'Ignore' }),
    policy(...many(21, () => exitCodes([1]))),
  ),
  statuses: statuses(
    { active: -1 },
    { failed: -1 },
    { succeeded: -1 },
    { ready: -1 },
    { ready: 1 },
    { startTime: '2024-05-06T07:08:09Z' },
    { completedIndexes: '1,3-5' },
    { completedIndexes: 'nothing' },
    { conditions: [condition('Complete')], completionTime: '2024-05-06T07:08:10Z' },
    { conditions: [condition('Failed'), condition('Complete')] },
    { conditions: [condition('Complete'), condition('Complete')] },
    { uncountedTerminatedPods: { succeeded: ['a'], failed: ['a'] } },
    { uncountedTerminatedPods: { succeeded: ['a', 'a'] } },
    { uncountedTerminatedPods: { succeeded: [''] } },
  ),
};

const workload: readonly object[] = [
  { replicas: 0 },
  { replicas: -1 },
  { replicas: null },
  { minReadySeconds: -1 },
  { minReadySeconds: 9 },
  { revisionHistoryLimit: -1 },
  { selector: { matchLabels: { app: 'other' } } },
  { selector: { matchLabels: null } },
  { selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } },
  {
    selector: {
      matchExpressions: [
        { key: 'tier', operator: 'NotIn', values: ['b', 'a'] },
        { key: 'away', operator: 'DoesNotExist' },
      ],
    },
  },
  { selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } },
  { template: { metadata: { labels: { app: 'other' } } } },
  { template: { metadata: { labels: { more: 'yes' } } } },
  { template: { spec: { restartPolicy: 'Never' } } },
  { template: { spec: { activeDeadlineSeconds: 5 } } },
  { template: { spec: { containers: [] } } },
];

const rolling = (rollingUpdate: object): object => ({ strategy: { type: 'RollingUpdate', rollingUpdate } });

const deployment: Otherwise = {
  states: specs({ strategy: { type: 'Recreate' } }, rolling({ maxSurge: 1, maxUnavailable: 0 }), {
    paused: null,
    progressDeadlineSeconds: 30,
  }),
  odd: specs(
    ...workload,
    { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
    rolling({ maxSurge: 0, maxUnavailable: 0 }),
    rolling({ maxSurge: '0%', maxUnavailable: '0%' }),
    rolling({ maxUnavailable: '101%' }),
    rolling({ maxSurge: '5' }),
    rolling({ maxSurge: '-5%' }),
    rolling({ maxSurge: 'some' }),
    { strategy: { type: 'Other' } },
    { progressDeadlineSeconds: 5 },
    { progressDeadlineSeconds: 0 },
  ),
  statuses: statuses(
    { replicas: -1 },
    { readyReplicas: 5 },
    { availableReplicas: 2, readyReplicas: 1 },
    { observedGeneration: 7 },
    { observedGeneration: -1 },
    { collisionCount: -1 },
    { conditions: [condition('Available'), condition('Available')] },
  ),
};

const running = { running: { startedAt: '2024-05-06T07:08:09Z' } };
const mainIs = (state: object): object => ({
  containerStatuses: [{ name: 'main', ready: false, restartCount: 0, image: 'a', imageID: 'b', state }],
});

const pod: Otherwise = {
  states: specs(...each('restartPolicy', 'Never', 'OnFailure'), { nodeName: 'nobody' }, { activeDeadlineSeconds: 100 }),
  odd: specs(
    { activeDeadlineSeconds: 0 },
    { activeDeadlineSeconds: 200 },
    { activeDeadlineSeconds: 50 },
    { activeDeadlineSeconds: null },
    { nodeName: 'other' },
    { nodeName: 'Bad Name' },
    { restartPolicy: 'Sometimes' },
    { terminationGracePeriodSeconds: 1 },
    { tolerations: [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 5 }] },
    { tolerations: [{ operator: 'Equal' }] },
    { tolerations: [{ operator: 'Exists' }] },
    { tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }] },
    { nodeSelector: { other: 'one' } },
    { hostNetwork: true },
    { dnsPolicy: 'None' },
    { dnsPolicy: 'None', dnsConfig: { nameservers: many(4, (at) => `10.0.0.${at}`) } },
    { dnsConfig: { nameservers: ['nowhere'] } },
    { priorityClassName: 'nothing' },
    { serviceAccountName: 'nobody' },
    { containers: [] },
    { containers: [{ name: 'main', image: 'registry.example/pause:2' }] },
    { containers: [{ name: 'Main', image: 'registry.example/pause:1' }] },
    { containers: [{ name: 'main', image: '' }] },
    { volumes: [{ name: 'scratch' }] },
    { volumes: [{ name: 'a', emptyDir: {}, hostPath: { path: '/' } }] },
    { volumes: many(2, () => ({ name: 'same', emptyDir: {} })) },
    { securityContext: { runAsUser: -1 } },
    { hostname: 'Bad_Name' },
    { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }] },
  ),
  fresh: podFresh,
  statuses: statuses(
    { phase: 'Other' },
    { phase: 'Succeeded' },
    { phase: 'Failed' },
    { podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }] },
    ...[['10.1.2.4'], ['fd00::3'], ['fd00::3', '10.1.2.4'], ['nowhere']].map((more) => ({
      ...{ podIP: '10.1.2.3', podIPs: ['10.1.2.3', ...more].map((ip) => ({ ip })) },
    })),
    { podIP: 'nowhere' },
    { nominatedNodeName: 'some' },
    { conditions: [condition('Ready'), condition('Ready', { status: 'False' })] },
    { conditions: [condition('PodScheduled', { status: 'Perhaps' })] },
    { containerStatuses: [{ name: 'main', ready: true, restartCount: 0, image: 'a', imageID: 'b' }] },
    { containerStatuses: [{ name: 'nobody', ready: true, restartCount: -1, image: '', imageID: '' }] },
    ...[0, 1].flatMap((exitCode) => [running, { terminated: { exitCode } }, running, {}].map(mainIs)),
  ),
};

const statefulSet: Otherwise = {
  states: specs(
    { podManagementPolicy: 'Parallel' },
    { updateStrategy: { type: 'OnDelete' } },
    { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' } },
  ),
  odd: specs(
    ...workload,
    { serviceName: 'other' },
    { podManagementPolicy: 'Other' },
    { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: -1 } } },
    { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
    { updateStrategy: { type: 'Other' } },
    { volumeClaimTemplates: [] },
    { ordinals: { start: 1 } },
  ),
  statuses: statuses({ replicas: -1 }, { readyReplicas: 7 }, { collisionCount: -1 }, { currentRevision: 'a' }),
};

const cronJob: Otherwise = {
  states: specs({ concurrencyPolicy: 'Replace' }, { timeZone: 'Europe/Berlin' }),
  odd: specs(
    { schedule: '' },
    { schedule: '* * *' },
    { schedule: 'TZ=UTC * * * * *' },
    { schedule: '@every 1h' },
    { timeZone: 'Nowhere/None' },
    { timeZone: '' },
    { timeZone: 'Local' },
    { concurrencyPolicy: 'Other' },
    { startingDeadlineSeconds: -1 },
    { successfulJobsHistoryLimit: -1 },
    { failedJobsHistoryLimit: -1 },
    { jobTemplate: { spec: { manualSelector: true } } },
    { jobTemplate: { spec: { parallelism: -1 } } },
    { jobTemplate: { spec: { template: { spec: { restartPolicy: 'Always' } } } } },
  ),
  fresh: schedules,
};

export const workloadOtherwise: Readonly<Record<string, Otherwise>> = {
  Job: job,
  Deployment: deployment,
  Pod: pod,
  StatefulSet: statefulSet,
  CronJob: cronJob,
  ReplicaSet: { states: [], odd: specs(...workload), statuses: statuses({ replicas: -1 }, { readyReplicas: 9 }) },
  DaemonSet: { states: specs({ updateStrategy: { type: 'OnDelete' } }), odd: specs(...workload) },
};
