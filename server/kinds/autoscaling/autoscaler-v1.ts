import { compact } from '../../base/compact.ts';
import type { KubeObject, ObjectMeta } from '../../base/kube-object.ts';
import type { Conversion } from '../strategy.ts';
import type { HorizontalPodAutoscaler, Metric, ObjectReference } from './autoscaler-shape.ts';
import { behaviorText } from './behavior-text.ts';
import { carriedText, conditionInOrder } from './carried-text.ts';
import { carriedBehavior, carriedConditions, carriedMetrics } from './carried-values.ts';
import { type Stage, toNewMetric, toOldMetric } from './old-metric.ts';

/**
 * The older version knows one metric, the share of cpu; everything else of the newer one is carried in annotations, so
 * that nothing is lost on the way there and back.
 */
const prefix = 'autoscaling.alpha.kubernetes.io/';
export const carriedFields = {
  metrics: `${prefix}metrics`,
  currentMetrics: `${prefix}current-metrics`,
  conditions: `${prefix}conditions`,
  behavior: `${prefix}behavior`,
} as const;

interface OldAutoscaler extends KubeObject {
  spec?: {
    scaleTargetRef?: ObjectReference;
    minReplicas?: number;
    maxReplicas?: number;
    targetCPUUtilizationPercentage?: number;
  };
  status?: {
    observedGeneration?: number;
    lastScaleTime?: string;
    currentReplicas?: number;
    desiredReplicas?: number;
    currentCPUUtilizationPercentage?: number;
  };
}

const cpuShare = (metric: Metric, stage: Stage) =>
  metric.type === 'Resource' && metric.resource?.name === 'cpu'
    ? metric.resource[stage]?.averageUtilization
    : undefined;

/** Whether the older version has a field for it. */
export const isCpuShare = (metric: Metric): boolean => cpuShare(metric, 'target') !== undefined;

function fromStorage(object: KubeObject): KubeObject {
  const { spec = {}, status = {}, metadata } = object as HorizontalPodAutoscaler;
  const metrics = spec.metrics ?? [];
  const current = status.currentMetrics ?? [];
  const old: OldAutoscaler = {
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata: withCarriers(metadata, carriersOf(object)),
    spec: compact({
      scaleTargetRef: spec.scaleTargetRef,
      minReplicas: spec.minReplicas,
      maxReplicas: spec.maxReplicas,
      targetCPUUtilizationPercentage: lastCpuShare(metrics, 'target'),
    }),
    status: compact({
      observedGeneration: status.observedGeneration,
      lastScaleTime: status.lastScaleTime,
      currentReplicas: status.currentReplicas ?? 0,
      desiredReplicas: status.desiredReplicas ?? 0,
      currentCPUUtilizationPercentage: lastCpuShare(current, 'current'),
    }),
  };
  return old;
}

const lastCpuShare = (metrics: readonly Metric[], stage: Stage) =>
  metrics.map((metric) => cpuShare(metric, stage)).findLast((value) => value !== undefined);

/** The annotations that carry what the older version has no fields for. */
function carriersOf({ spec = {}, status = {} }: HorizontalPodAutoscaler): Record<string, string> {
  const carried: Record<string, string> = {};
  const carry = (name: string, list: readonly unknown[]) => {
    if (list.length > 0) carried[name] = carriedText(list);
  };
  const others = (spec.metrics ?? []).filter((metric) => !isCpuShare(metric));
  carry(
    carriedFields.metrics,
    others.map((metric) => toOldMetric(metric, 'target')),
  );
  carry(
    carriedFields.currentMetrics,
    (status.currentMetrics ?? []).map((metric) => toOldMetric(metric, 'current')),
  );
  carry(carriedFields.conditions, (status.conditions ?? []).map(conditionInOrder));
  if (spec.behavior) carried[carriedFields.behavior] = behaviorText(spec.behavior);
  return carried;
}

const withCarriers = (metadata: ObjectMeta, carried: Record<string, string>): ObjectMeta =>
  Object.keys(carried).length > 0 ? { ...metadata, annotations: { ...metadata.annotations, ...carried } } : metadata;

const cpuMetric = (stage: Stage, averageUtilization: number): Metric => ({
  type: 'Resource',
  resource: {
    name: 'cpu',
    [stage]: stage === 'target' ? { type: 'Utilization', averageUtilization } : { averageUtilization },
  },
});

const carriers: ReadonlySet<string> = new Set(Object.values(carriedFields));

/** Without the annotations in which the older version says what the newer one has fields for. */
export function withoutCarriers({ annotations, ...rest }: ObjectMeta): ObjectMeta {
  const kept = Object.entries(annotations ?? {}).filter(([name]) => !carriers.has(name));
  return kept.length > 0 ? { ...rest, annotations: Object.fromEntries(kept) } : rest;
}

function toStorage(object: KubeObject): KubeObject {
  const { spec = {}, status = {}, metadata } = object as OldAutoscaler;
  const { annotations = {} } = metadata;
  const stored: HorizontalPodAutoscaler = {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: withoutCarriers(metadata),
    spec: compact({
      scaleTargetRef: spec.scaleTargetRef,
      minReplicas: spec.minReplicas,
      maxReplicas: spec.maxReplicas,
      metrics: unlessEmpty(wishedMetrics(annotations, spec)),
      behavior: carriedBehavior(annotations[carriedFields.behavior]),
    }),
    status: compact({
      observedGeneration: status.observedGeneration,
      lastScaleTime: status.lastScaleTime,
      // Unlike the older version, this one leaves out a zero.
      currentReplicas: status.currentReplicas || undefined,
      desiredReplicas: status.desiredReplicas,
      currentMetrics: unlessEmpty(seenMetrics(annotations, status)),
      conditions: unlessEmpty(carriedConditions(annotations[carriedFields.conditions])),
    }),
  };
  return stored;
}

const unlessEmpty = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined);

type Annotations = Readonly<Record<string, string>>;

/** The share of cpu that is wished for stands beside what is carried. */
const wishedMetrics = (annotations: Annotations, spec: NonNullable<OldAutoscaler['spec']>): Metric[] => [
  ...carriedMetrics(annotations[carriedFields.metrics]).map((metric) => toNewMetric(metric, 'target')),
  ...cpuMetrics('target', spec.targetCPUUtilizationPercentage),
];

/** The share of cpu that is seen is among what is carried. */
function seenMetrics(annotations: Annotations, status: NonNullable<OldAutoscaler['status']>): Metric[] {
  const seen = carriedMetrics(annotations[carriedFields.currentMetrics]);
  return seen.length > 0
    ? seen.map((metric) => toNewMetric(metric, 'current'))
    : cpuMetrics('current', status.currentCPUUtilizationPercentage);
}

const cpuMetrics = (stage: Stage, share: number | undefined): Metric[] =>
  share === undefined ? [] : [cpuMetric(stage, share)];

export const autoscalerV1: Conversion = { toStorage, fromStorage };

/** It is stored in the older form: what that cannot say is lost, and shares of cpu come last. */
export function keptOfAutoscaler(object: HorizontalPodAutoscaler): HorizontalPodAutoscaler {
  const { metadata, spec = {}, status } = toStorage(fromStorage(object)) as HorizontalPodAutoscaler;
  return { ...object, metadata, spec, status: { ...status, currentMetrics: status?.currentMetrics ?? null } };
}
