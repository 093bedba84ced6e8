import type { Json } from '../../verbs/client.ts';
import type { Sample } from './sample.ts';

const container = {
  name: 'main',
  image: 'registry.example/pause:1',
  command: ['/pause'],
  args: ['--quiet'],
  env: [
    { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'MODE', value: 'plain' },
  ],
  ports: [
    { name: 'http', containerPort: 8080, protocol: 'TCP' },
    { containerPort: 53, protocol: 'UDP' },
  ],
  resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } },
  volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
  readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 },
  securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
};

const podSpec = {
  containers: [container],
  volumes: [{ name: 'scratch', emptyDir: {} }],
  nodeSelector: { 'example.com/disk': 'fast' },
  tolerations: [{ key: 'example.com/only', operator: 'Exists', effect: 'NoSchedule' }],
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  terminationGracePeriodSeconds: 10,
  schedulerName: 'nobody',
};

const template = { metadata: { labels: { app: 'NAME' } }, spec: podSpec };
const selector = { matchLabels: { app: 'NAME' } };
const condition = { status: 'True', reason: 'Tried', lastTransitionTime: '2024-05-06T07:08:09Z' };

const scaled: Json = {
  ...{ minReplicas: 1, maxReplicas: 4 },
  scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'NAME' },
};

/** One of each source. */
const metrics: readonly Json[] = [
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
  { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
  { type: 'Pods', pods: { metric: { name: 'hits', selector }, target: { type: 'AverageValue', averageValue: '5' } } },
  {
    type: 'Object',
    object: {
      describedObject: { kind: 'Ingress', name: 'NAME' },
      ...{ metric: { name: 'hits' }, target: { type: 'Value', value: '5' } },
    },
  },
  { type: 'External', external: { metric: { name: 'waiting' }, target: { type: 'AverageValue', averageValue: '30' } } },
];

const behavior: Json = { scaleDown: { stabilizationWindowSeconds: 5 } };

/** Kinds that run something, or say how it shall run. */
export const workloadSamples: Readonly<Record<string, Sample>> = {
  Pod: {
    parts: { spec: podSpec },
    change: { spec: { activeDeadlineSeconds: 600 } },
    status: { status: { phase: 'Running', conditions: [{ type: 'Ready', ...condition }] } },
    controlled: true,
  },
  PodTemplate: { parts: { template }, change: { template: { spec: { hostNetwork: true } } } },
  ReplicationController: {
    parts: { spec: { replicas: 2, selector: { app: 'NAME' }, template } },
    change: { spec: { replicas: 3 } },
    status: { status: { replicas: 1, observedGeneration: 1 } },
    controlled: true,
  },
  Deployment: {
    parts: { spec: { replicas: 2, selector, template, minReadySeconds: 5, paused: true } },
    change: { spec: { replicas: 3, paused: null } },
    status: { status: { replicas: 1, updatedReplicas: 1, conditions: [{ type: 'Available', ...condition }] } },
    controlled: true,
  },
  ReplicaSet: {
    parts: { spec: { replicas: 2, selector, template } },
    change: { spec: { replicas: 3, minReadySeconds: 4 } },
    status: { status: { replicas: 1, readyReplicas: 1 } },
    controlled: true,
  },
  StatefulSet: {
    parts: {
      spec: {
        replicas: 2,
        selector,
        template,
        serviceName: 'NAME',
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
    change: { spec: { replicas: 3 } },
    status: { status: { replicas: 1, currentReplicas: 1 } },
    controlled: true,
  },
  DaemonSet: {
    parts: { spec: { selector, template } },
    change: { spec: { minReadySeconds: 4 } },
    status: { status: { currentNumberScheduled: 1, desiredNumberScheduled: 1, numberMisscheduled: 0, numberReady: 0 } },
    controlled: true,
  },
  ControllerRevision: {
    parts: { revision: 3, data: { some: { thing: 1 } } },
    change: { revision: 4 },
    controlled: true,
  },
  Job: {
    parts: {
      spec: {
        completions: 3,
        parallelism: 2,
        backoffLimit: 4,
        suspend: true,
        ttlSecondsAfterFinished: 100,
        template: { metadata: { labels: { app: 'NAME' } }, spec: { ...podSpec, restartPolicy: 'Never' } },
      },
    },
    change: { spec: { parallelism: 3, suspend: false } },
    status: { status: { active: 1, failed: 1 } },
    controlled: true,
  },
  CronJob: {
    parts: {
      spec: {
        schedule: '*/5 * * * *',
        suspend: true,
        concurrencyPolicy: 'Forbid',
        jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: 'OnFailure' } } } },
      },
    },
    change: { spec: { schedule: '@daily', successfulJobsHistoryLimit: 1 } },
    status: { status: { lastScheduleTime: '2024-05-06T07:08:09Z' } },
    controlled: true,
  },
  HorizontalPodAutoscaler: {
    parts: { spec: { ...scaled, metrics, behavior } },
    change: { spec: { maxReplicas: 5 } },
    status: {
      status: {
        ...{ currentReplicas: 1, desiredReplicas: 2, lastScaleTime: '2024-05-06T07:08:09Z' },
        currentMetrics: [
          { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 5, averageValue: '1' } } },
        ],
        conditions: [{ type: 'AbleToScale', ...condition }],
      },
    },
    controlled: true,
  },
  // As the oldest version has it.
  'HorizontalPodAutoscaler.v1': {
    parts: { spec: { ...scaled, targetCPUUtilizationPercentage: 70 } },
    change: { spec: { maxReplicas: 5 } },
    status: { status: { currentReplicas: 1, desiredReplicas: 2, currentCPUUtilizationPercentage: 5 } },
    controlled: true,
  },
  PodDisruptionBudget: {
    parts: { spec: { minAvailable: 1, selector } },
    change: { spec: { minAvailable: '50%' } },
    status: {
      status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2, observedGeneration: 1 },
    },
    controlled: true,
  },
};
