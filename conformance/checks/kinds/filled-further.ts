import type { Json } from '../../verbs/json.ts';
import { type KindPath, kindPaths } from '../../verbs/kinds.ts';
import { flowsOfNobody, spec } from '../unfit/judged-kind.ts';
import { podSpec, workload } from '../unfit/workload-parts.ts';
import type { FilledKind } from './filled-kind.ts';
import { filledContainer, filledPod, rbac } from './filled-parts.ts';

const rehearsed = (at: KindPath, filled: FilledKind['filled'], more: Partial<FilledKind> = {}): FilledKind => ({
  ...{ name: `what is left out of ${at.resource}`, holds: { from: 22 }, at, base: {}, filled, rehearsed: true },
  ...more,
});

const ownedByNobody = { roleRef: { apiGroup: undefined }, subjects: [{ kind: 'User', name: 'a' }] };
const owned = { roleRef: { apiGroup: rbac }, subjects: [{ kind: 'User', apiGroup: rbac, name: 'a' }] };

const endingPod = { ...filledPod, containers: [filledContainer] };
const filledTemplate = { spec: { ...endingPod, restartPolicy: 'Always' } };
const [one, none] = [spec({ replicas: 1 }), spec({ replicas: undefined })];

const rolling = (rollingUpdate: Json): Json => spec({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
const surging = (rollingUpdate: Json): Json => spec({ strategy: { type: 'RollingUpdate', rollingUpdate } });
const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const jobOf = (more: Json): Json => ({ template: { spec: { ...podSpec(), ...more } } });

const ofLoad: readonly FilledKind[] = [
  rehearsed(
    kindPaths.deployments,
    {
      'how many': [none, one],
      'how many fewer at once': [
        spec({ strategy: { rollingUpdate: { maxSurge: 1 } } }),
        surging({ maxSurge: 1, maxUnavailable: '25%' }),
      ],
      'how many more at once': [
        spec({ strategy: { rollingUpdate: { maxUnavailable: 1 } } }),
        surging({ maxSurge: '25%', maxUnavailable: 1 }),
      ],
    },
    { base: workload() },
  ),
  rehearsed(kindPaths.replicaSets, { 'how many': [none, { ...one, status: { replicas: 0 } }] }, { base: workload() }),
  rehearsed(
    kindPaths.statefulSets,
    {
      'how many': [none, { ...one, status: { replicas: 0 } }],
      'a part': [rolling({}), rolling({ partition: 0 })],
      'what its claims are': [
        spec({ volumeClaimTemplates: [claim] }),
        spec({ volumeClaimTemplates: [{ spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } }] }),
      ],
    },
    { base: workload() },
  ),
  rehearsed(
    kindPaths.daemonSets,
    {
      'a template': [
        {},
        {
          ...spec({
            ...{ revisionHistoryLimit: 10, template: filledTemplate },
            ...rolling({ maxUnavailable: 1, maxSurge: 0 }).spec,
          }),
          status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
        },
      ],
      'how many more at once': [rolling({ maxUnavailable: '30%' }), rolling({ maxUnavailable: '30%', maxSurge: 0 })],
    },
    { base: workload() },
  ),
  rehearsed(kindPaths.jobs, {
    'how many, and in which way': [
      spec({ suspend: undefined }),
      spec({
        ...{ parallelism: 1, completions: 1, backoffLimit: 6, completionMode: 'NonIndexed', suspend: false },
        template: { spec: endingPod },
      }),
    ],
  }),
  rehearsed(
    kindPaths.cronJobs,
    { 'what its pods are': [{}, spec({ jobTemplate: { spec: { template: { spec: endingPod } } } })] },
    { base: spec({ schedule: '0 0 1 1 *', jobTemplate: { spec: jobOf({ restartPolicy: 'Never' }) } }) },
  ),
];

const quarterMinute = { periodSeconds: 15 };
const all = { type: 'Percent', value: 100, ...quarterMinute };
const upwards = {
  ...{ stabilizationWindowSeconds: 0, selectPolicy: 'Max' },
  policies: [{ type: 'Pods', value: 4, ...quarterMinute }, all],
};
const downwards = { selectPolicy: 'Max', policies: [all] };
const scaling = (behavior: Json): Json => spec({ behavior });

const ofLimits: readonly FilledKind[] = [
  rehearsed(
    kindPaths.horizontalPodAutoscalers,
    {
      'by what': [
        {},
        {
          ...spec({
            metrics: [
              {
                ...{ type: 'Resource' },
                resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
              },
            ],
          }),
          status: { desiredReplicas: 0 },
        },
      ],
      'how fast it grows': [
        scaling({ scaleDown: { selectPolicy: 'Min' } }),
        scaling({ scaleUp: upwards, scaleDown: { ...downwards, selectPolicy: 'Min' } }),
      ],
      'how fast it shrinks': [
        scaling({ scaleUp: { stabilizationWindowSeconds: 7 } }),
        scaling({ scaleUp: { ...upwards, stabilizationWindowSeconds: 7 }, scaleDown: downwards }),
      ],
    },
    {
      holds: { from: 23 },
      base: spec({ maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' } }),
    },
  ),
  rehearsed(
    kindPaths.podDisruptionBudgets,
    {
      'what it knows': [
        {},
        { status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 } },
      ],
    },
    { base: spec({ minAvailable: 1, selector: { matchLabels: { app: 'touchstone-none' } } }) },
  ),
  rehearsed(kindPaths.priorityClasses, {
    'which priority': [{ value: undefined }, { value: 0, preemptionPolicy: 'PreemptLowerPriority' }],
  }),
  rehearsed(
    kindPaths.flowSchemas,
    { 'how early': [spec({ matchingPrecedence: undefined }), spec({ matchingPrecedence: 1000 })] },
    { base: flowsOfNobody },
  ),
  rehearsed(kindPaths.priorityLevels, {
    'how many shares': [
      spec({ limited: { assuredConcurrencyShares: undefined } }),
      spec({ limited: { assuredConcurrencyShares: 30 } }),
    ],
    'how many queues': [
      spec({ limited: { limitResponse: { type: 'Queue', queuing: {} } } }),
      spec({ limited: { limitResponse: { queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } } } }),
    ],
  }),
];

const ofOthers: readonly FilledKind[] = [
  rehearsed(kindPaths.networkPolicies, {
    'of which pods': [spec({ podSelector: undefined }), spec({ podSelector: {} })],
  }),
  rehearsed(kindPaths.roleBindings, { 'of which group': [ownedByNobody, owned] }),
  rehearsed(kindPaths.clusterRoleBindings, { 'of which group': [ownedByNobody, owned] }),
  rehearsed(kindPaths.apiServices, {
    'at which port': [
      spec({ service: { namespace: 'touchstone-none', name: 'none' } }),
      spec({ service: { port: 443 } }),
    ],
  }),
  rehearsed(kindPaths.volumeAttachments, { 'whether it is': [{}, { status: { attached: false } }] }),
  rehearsed(
    kindPaths.csiDrivers,
    {
      'what it can do': [
        {},
        spec({
          ...{ attachRequired: true, podInfoOnMount: false, storageCapacity: false, requiresRepublish: false },
          ...{ fsGroupPolicy: 'ReadWriteOnceWithFSType', volumeLifecycleModes: ['Persistent'] },
        }),
      ],
    },
    { holds: { from: 23 } },
  ),
];

/** Kinds of which it is rehearsed what a server puts where nothing is said: others would act on them, or heed them. */
export const filledFurther: readonly FilledKind[] = [...ofLoad, ...ofLimits, ...ofOthers];
