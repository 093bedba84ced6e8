import { compact } from '../../base/compact.ts';
import type { LabelSelectorField } from '../label-selector-field.ts';
import type { Metric, MetricIdentifier, MetricTarget, ObjectReference } from './autoscaler-shape.ts';
import { referenceInOrder, selectorInOrder } from './carried-text.ts';

/** Whether a metric says what is wished for or what is seen. */
export type Stage = 'target' | 'current';

/** What a metric measures, as the older version says it: a wish is `targetValue`, an observation `currentValue`. */
type OldSource = {
  name?: string;
  container?: string;
  metricName?: string;
  target?: ObjectReference;
  selector?: LabelSelectorField;
  metricSelector?: LabelSelectorField;
  averageValue?: string;
} & { [K in `${Stage}AverageUtilization`]?: number } & { [K in `${Stage}${'AverageValue' | 'Value'}`]?: string };

/** A metric as the older version carries it, in an annotation. */
export interface OldMetric {
  type?: string;
  resource?: OldSource;
  containerResource?: OldSource;
  pods?: OldSource;
  object?: OldSource;
  external?: OldSource;
}

type New<Source extends keyof Metric> = NonNullable<Metric[Source]>;

const words = (stage: Stage) =>
  ({
    averageUtilization: `${stage}AverageUtilization`,
    averageValue: `${stage}AverageValue`,
    value: `${stage}Value`,
  }) as const;

/** As text of an annotation it has its members in this order. */
export function toOldMetric(metric: Metric, stage: Stage): object {
  const { type, resource, containerResource, pods, object, external } = metric;
  return compact({
    type,
    resource: resource && compact({ name: resource.name, ...oldShare(resource, stage) }),
    containerResource:
      containerResource &&
      compact({
        name: containerResource.name,
        ...oldShare(containerResource, stage),
        container: containerResource.container,
      }),
    pods: pods && oldPods(pods, stage),
    object: object && oldObject(object, stage),
    external: external && oldExternal(external, stage),
  });
}

/** What is seen always has its number. */
const leastSeen = (stage: Stage) => (stage === 'current' ? '0' : undefined);

function oldShare(source: New<'resource'>, stage: Stage): object {
  const { averageUtilization, averageValue } = source[stage] ?? {};
  const word = words(stage);
  return { [word.averageUtilization]: averageUtilization, [word.averageValue]: averageValue ?? leastSeen(stage) };
}

const oldPods = ({ metric, ...source }: New<'pods'>, stage: Stage): object =>
  compact({
    metricName: metric?.name,
    [words(stage).averageValue]: source[stage]?.averageValue ?? '0',
    selector: metric?.selector && selectorInOrder(metric.selector),
  });

const oldObject = ({ describedObject, metric, ...source }: New<'object'>, stage: Stage): object =>
  compact({
    target: describedObject && referenceInOrder(describedObject),
    metricName: metric?.name,
    [words(stage).value]: source[stage]?.value ?? '0',
    selector: metric?.selector && selectorInOrder(metric.selector),
    averageValue: source[stage]?.averageValue,
  });

const oldExternal = ({ metric, ...source }: New<'external'>, stage: Stage): object =>
  compact({
    metricName: metric?.name,
    metricSelector: metric?.selector && selectorInOrder(metric.selector),
    [words(stage).value]: source[stage]?.value ?? leastSeen(stage),
    [words(stage).averageValue]: source[stage]?.averageValue,
  });

export function toNewMetric(old: OldMetric, stage: Stage): Metric {
  const { type, resource, containerResource, pods, object, external } = old;
  return compact({
    type,
    resource: resource && compact({ name: resource.name, ...newShare(resource, stage) }),
    containerResource:
      containerResource &&
      compact({
        name: containerResource.name,
        container: containerResource.container,
        ...newShare(containerResource, stage),
      }),
    pods: pods && newPods(pods, stage),
    object: object && newObject(object, stage),
    external: external && newExternal(external, stage),
  });
}

/** A target as it is read together, with members that may be undefined. */
type Wished = { readonly [K in keyof MetricTarget]?: MetricTarget[K] | undefined };

/** A wish says of which type it is. */
function staged(stage: Stage, told: Wished): { target?: MetricTarget; current?: MetricTarget } {
  const given = compact(told);
  return stage === 'target' ? { target: { type: targetType(given), ...given } } : { current: given };
}

const targetType = ({ averageUtilization, averageValue }: MetricTarget) =>
  averageUtilization !== undefined ? 'Utilization' : averageValue !== undefined ? 'AverageValue' : 'Value';

const newShare = (old: OldSource, stage: Stage) =>
  staged(stage, {
    averageUtilization: old[words(stage).averageUtilization],
    averageValue: old[words(stage).averageValue],
  });

const identifier = (name: string | undefined, selector: LabelSelectorField | undefined): MetricIdentifier =>
  compact({ name, selector });

const newPods = (old: OldSource, stage: Stage): New<'pods'> => ({
  metric: identifier(old.metricName, old.selector),
  ...staged(stage, { averageValue: old[words(stage).averageValue] }),
});

function newObject(old: OldSource, stage: Stage): New<'object'> {
  const { target: describedObject, averageValue } = old;
  const value = averageValue === undefined || stage === 'current' ? old[words(stage).value] : undefined;
  return compact({
    describedObject,
    metric: identifier(old.metricName, old.selector),
    ...staged(stage, { value, averageValue }),
  });
}

const newExternal = (old: OldSource, stage: Stage): New<'external'> => ({
  metric: identifier(old.metricName, old.metricSelector),
  ...staged(stage, { value: old[words(stage).value], averageValue: old[words(stage).averageValue] }),
});
