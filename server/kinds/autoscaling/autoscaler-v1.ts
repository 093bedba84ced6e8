import { compact } from '../../base/compact.ts';
import type { KubeObject, ObjectMeta } from '../../base/kube-object.ts';
import type { Conversion } from '../strategy.ts';
import type { AutoscalerCondition, HorizontalPodAutoscaler, Metric, MetricTarget } from './autoscaler-shape.ts';
import { behaviorOf, behaviorText } from './behavior-text.ts';

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
    scaleTargetRef?: unknown;
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

type OldMetric = { type?: string } & { [source: string]: unknown };
type Fields = Record<string, unknown>;

const targetType = ({ averageUtilization, averageValue }: MetricTarget) =>
  averageUtilization !== undefined ? 'Utilization' : averageValue !== undefined ? 'AverageValue' : 'Value';

/** A target as it is read together, with members that may be undefined. */
type Wished = { readonly [K in keyof MetricTarget]?: MetricTarget[K] | undefined };

const withType = (target: Wished): MetricTarget => {
  const given = compact(target);
  return { type: targetType(given), ...given };
};

/** In the old form a wish is `targetValue`, an observation `currentValue`. */
function toOldMetric(metric: Metric, stage: 'target' | 'current'): OldMetric {
  const word = (name: string) => `${stage}${name}`;
  const { type, resource, containerResource, pods, object, external } = metric;
  const value = (source: { target?: MetricTarget; current?: MetricTarget }) => source[stage] ?? {};
  // What is seen always has its number.
  const seen = stage === 'current' ? '0' : undefined;
  const share = (source: { target?: MetricTarget; current?: MetricTarget }) => ({
    [word('AverageUtilization')]: value(source).averageUtilization,
    [word('AverageValue')]: value(source).averageValue ?? seen,
  });
  return compact({
    type,
    resource: resource && compact({ name: resource.name, ...share(resource) }),
    containerResource:
      containerResource &&
      compact({ name: containerResource.name, ...share(containerResource), container: containerResource.container }),
    pods:
      pods &&
      compact({
        metricName: pods.metric?.name,
        [word('AverageValue')]: value(pods).averageValue ?? '0',
        selector: pods.metric?.selector,
      }),
    object:
      object &&
      compact({
        target: object.describedObject,
        metricName: object.metric?.name,
        [word('Value')]: value(object).value ?? '0',
        selector: object.metric?.selector,
        averageValue: value(object).averageValue,
      }),
    external:
      external &&
      compact({
        metricName: external.metric?.name,
        metricSelector: external.metric?.selector,
        [word('Value')]: value(external).value ?? seen,
        [word('AverageValue')]: value(external).averageValue,
      }),
  });
}

function toNewMetric(old: OldMetric, stage: 'target' | 'current'): Metric {
  const word = (name: string) => `${stage}${name}`;
  const source = (name: string) => old[name] as Fields | undefined;
  const shown = (target: Wished) => (stage === 'target' ? withType(target) : compact(target));
  const share = (fields: Fields) =>
    shown({
      averageUtilization: fields[word('AverageUtilization')] as number | undefined,
      averageValue: fields[word('AverageValue')] as string | undefined,
    });
  const identifier = (fields: Fields, selector: string) =>
    compact({ name: fields.metricName as string | undefined, selector: fields[selector] as undefined });
  const { resource, containerResource, pods, object, external } = {
    resource: source('resource'),
    containerResource: source('containerResource'),
    pods: source('pods'),
    object: source('object'),
    external: source('external'),
  };
  return compact({
    type: old.type,
    resource: resource && { name: resource.name, [stage]: share(resource) },
    containerResource:
      containerResource &&
      ({
        name: containerResource.name,
        container: containerResource.container,
        [stage]: share(containerResource),
      } as object),
    pods:
      pods &&
      ({
        metric: identifier(pods, 'selector'),
        [stage]: shown({ averageValue: pods[word('AverageValue')] as string }),
      } as object),
    object:
      object &&
      ({
        describedObject: object.target,
        metric: identifier(object, 'selector'),
        [stage]: shown(
          object.averageValue === undefined || stage === 'current'
            ? { value: object[word('Value')] as string, averageValue: object.averageValue as string | undefined }
            : { averageValue: object.averageValue as string },
        ),
      } as object),
    external:
      external &&
      ({
        metric: identifier(external, 'metricSelector'),
        [stage]: shown({
          value: external[word('Value')] as string | undefined,
          averageValue: external[word('AverageValue')] as string | undefined,
        }),
      } as object),
  }) as Metric;
}

const cpuShare = (metric: Metric, stage: 'target' | 'current') =>
  metric.type === 'Resource' && metric.resource?.name === 'cpu'
    ? metric.resource[stage]?.averageUtilization
    : undefined;

function fromStorage(object: KubeObject): KubeObject {
  const { spec = {}, status = {}, metadata } = object as HorizontalPodAutoscaler;
  const metrics = spec.metrics ?? [];
  const current = status.currentMetrics ?? [];
  const carried: Record<string, string> = {};
  const carry = (name: string, list: readonly unknown[]) => {
    if (list.length > 0) carried[name] = JSON.stringify(list);
  };
  carry(
    carriedFields.metrics,
    metrics.filter((metric) => cpuShare(metric, 'target') === undefined).map((metric) => toOldMetric(metric, 'target')),
  );
  carry(
    carriedFields.currentMetrics,
    current.map((metric) => toOldMetric(metric, 'current')),
  );
  carry(carriedFields.conditions, status.conditions ?? []);
  if (spec.behavior) carried[carriedFields.behavior] = behaviorText(spec.behavior);
  const share = (list: readonly Metric[], stage: 'target' | 'current') =>
    list.map((metric) => cpuShare(metric, stage)).findLast((value) => value !== undefined);
  const old: OldAutoscaler = {
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata:
      Object.keys(carried).length > 0
        ? { ...metadata, annotations: { ...metadata.annotations, ...carried } }
        : metadata,
    spec: compact({
      scaleTargetRef: spec.scaleTargetRef,
      minReplicas: spec.minReplicas,
      maxReplicas: spec.maxReplicas,
      targetCPUUtilizationPercentage: share(metrics, 'target'),
    }),
    status: compact({
      observedGeneration: status.observedGeneration,
      lastScaleTime: status.lastScaleTime,
      currentReplicas: status.currentReplicas ?? 0,
      desiredReplicas: status.desiredReplicas ?? 0,
      currentCPUUtilizationPercentage: share(current, 'current'),
    }),
  };
  return old;
}

/** Annotations that do not parse carry nothing, and nulls in them are nothing. */
function parsed(text = ''): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => value ?? undefined);
  } catch {
    return undefined;
  }
}

function carriedList<T>(text: string | undefined): T[] {
  const list = parsed(text);
  return Array.isArray(list) ? list.filter((item) => typeof item === 'object') : [];
}

const cpuMetric = (stage: 'target' | 'current', averageUtilization: number): Metric => ({
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
  const carriedMetrics = (name: string, stage: 'target' | 'current') =>
    carriedList<OldMetric>(annotations[name]).map((metric) => toNewMetric(metric, stage));
  const cpu = (stage: 'target' | 'current', share: number | undefined) =>
    share === undefined ? [] : [cpuMetric(stage, share)];
  // The share of cpu that is wished for stands beside what is carried, the one that is seen is among it.
  const metrics = [
    ...carriedMetrics(carriedFields.metrics, 'target'),
    ...cpu('target', spec.targetCPUUtilizationPercentage),
  ];
  const seen = carriedMetrics(carriedFields.currentMetrics, 'current');
  const current = seen.length > 0 ? seen : cpu('current', status.currentCPUUtilizationPercentage);
  const conditions = carriedList<AutoscalerCondition>(annotations[carriedFields.conditions]);
  const stored: HorizontalPodAutoscaler = {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: withoutCarriers(metadata),
    spec: compact({
      scaleTargetRef: spec.scaleTargetRef as object | undefined,
      minReplicas: spec.minReplicas,
      maxReplicas: spec.maxReplicas,
      metrics: metrics.length > 0 ? metrics : undefined,
      behavior: behaviorOf(parsed(annotations[carriedFields.behavior])),
    }),
    status: compact({
      observedGeneration: status.observedGeneration,
      lastScaleTime: status.lastScaleTime,
      // Unlike the older version, this one leaves out a zero.
      currentReplicas: status.currentReplicas || undefined,
      desiredReplicas: status.desiredReplicas,
      currentMetrics: current.length > 0 ? current : undefined,
      conditions: conditions.length > 0 ? conditions : undefined,
    }),
  };
  return stored;
}

export const autoscalerV1: Conversion = { toStorage, fromStorage };

/** It is stored in the older form: what that cannot say is lost, and shares of cpu come last. */
export function keptOfAutoscaler(object: HorizontalPodAutoscaler): HorizontalPodAutoscaler {
  const { metadata, spec = {}, status } = toStorage(fromStorage(object)) as HorizontalPodAutoscaler;
  return { ...object, metadata, spec, status: { ...status, currentMetrics: status?.currentMetrics ?? null } };
}
