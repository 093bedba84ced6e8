import { type FieldError, forbiddenField, invalidValue } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { eachOf, nonNegative } from '../field-rules.ts';
import { checkedStatus } from '../status-subresource.ts';
import { type Conversion, defineKind, type WriteContext } from '../strategy.ts';
import { age, ageColumn, column, nameColumn } from '../table-cells.ts';
import type { HorizontalPodAutoscaler, MetricTarget, ScalingRules } from './autoscaler-shape.ts';
import { autoscalerV1, keptOfAutoscaler, withoutCarriers } from './autoscaler-v1.ts';
import { validateBehavior, validateMetric, validateReference } from './metric-rules.ts';
import { rehearsedAutoscaler } from './rehearsed-autoscaler.ts';

const at = FieldPath.of('spec');

const defaultShare = 80;
const everyQuarterMinute = 15;

function defaultRules(rules: ScalingRules | undefined, usual: ScalingRules): ScalingRules {
  return { ...usual, ...rules };
}

function defaults(autoscaler: HorizontalPodAutoscaler, _applied?: boolean, version?: string): void {
  autoscaler.spec ??= {};
  autoscaler.status ??= {};
  autoscaler.status.desiredReplicas ??= 0;
  autoscaler.status.currentMetrics ??= null;
  if (autoscaler.metadata.annotations) autoscaler.metadata = withoutCarriers(autoscaler.metadata);
  const { spec } = autoscaler;
  spec.minReplicas ??= 1;
  if (!spec.metrics?.length)
    spec.metrics = [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: defaultShare } },
      },
    ];
  // The oldest version knows no behavior: it carries it as it is.
  if (!spec.behavior || version === 'autoscaling/v1') return;
  const percent = { type: 'Percent', value: 100, periodSeconds: everyQuarterMinute };
  spec.behavior.scaleUp = defaultRules(spec.behavior.scaleUp, {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [{ type: 'Pods', value: 4, periodSeconds: everyQuarterMinute }, percent],
  });
  spec.behavior.scaleDown = defaultRules(spec.behavior.scaleDown, { selectPolicy: 'Max', policies: [{ ...percent }] });
}

/** Metrics of single containers belong to a feature; while it is off their source is not there. */
function dropGatedMetrics({ spec }: HorizontalPodAutoscaler, { features }: WriteContext): void {
  if (features.enabled('HPAContainerMetrics')) return;
  for (const metric of spec?.metrics ?? []) delete metric.containerResource;
}

/** Differs in nothing but that it always tells how many replicas there are. */
const autoscalerV2Beta2: Conversion = {
  toStorage: (object) => ({ ...object, apiVersion: 'autoscaling/v2', status: withoutZero(object) }),
  fromStorage: (object) => ({
    ...object,
    apiVersion: 'autoscaling/v2beta2',
    status: { ...(object as HorizontalPodAutoscaler).status, currentReplicas: replicasSeen(object) },
  }),
};

const replicasSeen = ({ status }: HorizontalPodAutoscaler) => status?.currentReplicas ?? 0;

function withoutZero({ status = {} }: HorizontalPodAutoscaler) {
  const { currentReplicas, ...rest } = status;
  return currentReplicas ? status : rest;
}

function validate({ spec = {} }: HorizontalPodAutoscaler): FieldError[] {
  const { minReplicas = 1, maxReplicas = 0 } = spec;
  const most = at.child('maxReplicas');
  return [
    ...(minReplicas < 1
      ? [invalidValue(at.child('minReplicas'), minReplicas, 'must be greater than or equal to 1')]
      : []),
    ...(maxReplicas < 1 ? [invalidValue(most, maxReplicas, 'must be greater than 0')] : []),
    ...(maxReplicas < minReplicas
      ? [invalidValue(most, maxReplicas, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...validateReference(spec.scaleTargetRef, at.child('scaleTargetRef')),
    ...eachOf(spec.metrics, at.child('metrics'), validateMetric),
    ...(minReplicas === 0 && !spec.metrics?.some(({ type }) => type === 'Object' || type === 'External')
      ? [forbiddenField(at.child('metrics'), 'only a metric of an object or from outside can tell when to start again')]
      : []),
    ...validateBehavior(spec.behavior, at.child('behavior')),
  ];
}

const sources = ['resource', 'containerResource', 'pods', 'object', 'external'] as const;

/** Which amount a target is about: what is seen may tell others as well. */
function amountOf(
  source: string | undefined,
  { averageValue }: MetricTarget,
): 'averageValue' | 'averageUtilization' | 'value' {
  if (averageValue !== undefined) return 'averageValue';
  return source?.toLowerCase().endsWith('resource') ? 'averageUtilization' : 'value';
}

const amountText = (amount: string | number | undefined) => (typeof amount === 'number' ? `${amount}%` : amount);

/** `<unknown>/80%` for each of the first two metrics; what is seen counts where it is of the same source. */
function targetsText({ spec, status }: HorizontalPodAutoscaler): string {
  const metrics = spec?.metrics ?? [];
  const shown = 2;
  const texts = metrics.slice(0, shown).map((metric, position) => {
    const source = sources.find((each) => metric[each]);
    const target = (source && metric[source]?.target) ?? {};
    const seen = source && status?.currentMetrics?.[position]?.[source]?.current;
    const amount = amountOf(source, target);
    const current = amountText(seen?.[amount]) ?? '<unknown>';
    const average = (metric.object || metric.external) && target.averageValue !== undefined ? ' (avg)' : '';
    return `${current}/${amountText(target[amount]) ?? '<auto>'}${average}`;
  });
  if (texts.length === 0) return '<none>';
  const more = metrics.length - shown;
  return more > 0 ? `${texts.join(', ')} + ${more} more...` : texts.join(', ');
}

export const horizontalPodAutoscaler = defineKind<HorizontalPodAutoscaler>({
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  resource: 'horizontalpodautoscalers',
  loosePrefixOnUpdate: true,
  conversions: { v1: autoscalerV1, v2beta2: autoscalerV2Beta2 },
  deprecations: {
    v2beta2:
      'autoscaling/v2beta2 HorizontalPodAutoscaler is deprecated in v1.23+, unavailable in v1.26+; use autoscaling/v2 HorizontalPodAutoscaler',
  },
  default: defaults,
  prepareCreate: dropGatedMetrics,
  prepareUpdate: (next, _previous, context) => dropGatedMetrics(next, context),
  validate,
  kept: keptOfAutoscaler,
  rehearsed: rehearsedAutoscaler,
  subresources: {
    status: checkedStatus<HorizontalPodAutoscaler>(({ status = {} }) => [
      ...nonNegative(status.currentReplicas, FieldPath.of('status', 'currentReplicas')),
      ...nonNegative(status.desiredReplicas, FieldPath.of('status', 'desiredReplicas')),
    ]),
  },
  table: {
    columns: [
      nameColumn,
      column('Reference'),
      column('Targets'),
      column('MinPods'),
      column('MaxPods'),
      column('Replicas'),
      ageColumn,
    ],
    cells: (autoscaler, now) => [
      autoscaler.metadata.name,
      `${autoscaler.spec?.scaleTargetRef?.kind ?? ''}/${autoscaler.spec?.scaleTargetRef?.name ?? ''}`,
      targetsText(autoscaler),
      String(autoscaler.spec?.minReplicas ?? '<unset>'),
      autoscaler.spec?.maxReplicas ?? 0,
      autoscaler.status?.currentReplicas ?? 0,
      age(autoscaler, now),
    ],
  },
});
