import { type FieldError, forbiddenField, invalidValue, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { pathSegment } from '../../base/names.ts';
import { eachOf, nonNegative, oneOf, positive, requiredName, requiredText } from '../field-rules.ts';
import { signOf } from '../quantity-text.ts';
import type {
  Behavior,
  Metric,
  MetricIdentifier,
  MetricTarget,
  ObjectReference,
  ScalingRules,
} from './autoscaler-shape.ts';

export const validateReference = (reference: ObjectReference | undefined, at: FieldPath): FieldError[] => [
  ...requiredName(reference?.kind, pathSegment, at.child('kind')),
  ...requiredName(reference?.name, pathSegment, at.child('name')),
];

const identifier = (metric: MetricIdentifier | undefined, at: FieldPath): FieldError[] => [
  ...requiredName(metric?.name, pathSegment, at.child('name')),
];

const above0 = (quantity: string | undefined, at: FieldPath): FieldError[] =>
  quantity !== undefined && signOf(quantity) <= 0 ? [invalidValue(at, quantity, 'must be positive')] : [];

function validateTarget({ type, value, averageValue, averageUtilization }: MetricTarget, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!type) errors.push(required(at.child('type'), 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type ?? ''))
    errors.push(invalidValue(at.child('type'), type ?? '', 'must be either Utilization, Value, or AverageValue'));
  return [
    ...errors,
    ...above0(value, at.child('value')),
    ...above0(averageValue, at.child('averageValue')),
    ...positive(averageUtilization, at.child('averageUtilization')),
  ];
}

type Target = 'value' | 'averageValue' | 'averageUtilization';

/** A target must say one of these; the fault is told at the last. */
const oneOfTargets = (target: MetricTarget, fields: readonly Target[], at: FieldPath): FieldError[] =>
  fields.some((field) => target[field] !== undefined)
    ? []
    : [required(at.child(fields.at(-1) ?? 'value'), `must set ${fields.join(' or ')}`)];

/** And not both. */
const notBoth = (target: MetricTarget, [one, other]: readonly [Target, Target], at: FieldPath): FieldError[] =>
  target[one] !== undefined && target[other] !== undefined
    ? [forbiddenField(at.child(one), `may not be set together with ${other}`)]
    : [];

function perReplica(target: MetricTarget = {}, at: FieldPath): FieldError[] {
  return [
    ...validateTarget(target, at),
    ...oneOfTargets(target, ['averageValue', 'averageUtilization'], at),
    ...notBoth(target, ['averageValue', 'averageUtilization'], at),
  ];
}

interface MetricSource {
  readonly type: string;
  readonly field: 'object' | 'external' | 'pods' | 'resource' | 'containerResource';
  check(metric: Metric, at: FieldPath): FieldError[];
}

/** In the order in which they are looked at. */
const sources: readonly MetricSource[] = [
  {
    type: 'Object',
    field: 'object',
    check: ({ object: source = {} }, at) => [
      ...validateReference(source.describedObject, at.child('describedObject')),
      ...identifier(source.metric, at.child('metric')),
      ...validateTarget(source.target ?? {}, at.child('target')),
      ...oneOfTargets(source.target ?? {}, ['value', 'averageValue'], at.child('target')),
    ],
  },
  {
    type: 'External',
    field: 'external',
    check: ({ external: source = {} }, at) => [
      ...identifier(source.metric, at.child('metric')),
      ...validateTarget(source.target ?? {}, at.child('target')),
      ...oneOfTargets(source.target ?? {}, ['value', 'averageValue'], at.child('target')),
      ...notBoth(source.target ?? {}, ['value', 'averageValue'], at.child('target')),
    ],
  },
  {
    type: 'Pods',
    field: 'pods',
    check: ({ pods: source = {} }, at) => [
      ...identifier(source.metric, at.child('metric')),
      ...validateTarget(source.target ?? {}, at.child('target')),
      ...oneOfTargets(source.target ?? {}, ['averageValue'], at.child('target')),
    ],
  },
  {
    type: 'Resource',
    field: 'resource',
    check: ({ resource: source = {} }, at) => [
      ...requiredText(source.name, at.child('name'), 'must specify a resource name'),
      ...perReplica(source.target, at.child('target')),
    ],
  },
  {
    type: 'ContainerResource',
    field: 'containerResource',
    check: ({ containerResource: source = {} }, at) => [
      ...requiredText(source.name, at.child('name'), 'must specify a resource name'),
      ...requiredText(source.container, at.child('container'), 'must specify a container'),
      ...perReplica(source.target, at.child('target')),
    ],
  },
];

/** The first source that is given is checked, whatever the type; beside the one of the type no other may stand. */
export function validateMetric(metric: Metric, at: FieldPath): FieldError[] {
  const { type = '' } = metric;
  const given = sources.filter(({ field }) => metric[field]);
  const expected = sources.find((source) => source.type === type);
  const types = sources.map((source) => source.type);
  return [
    ...(type ? [] : [required(at.child('type'), 'must specify a metric source type')]),
    ...oneOf(type, types, at.child('type')),
    ...(given[0]?.check(metric, at.child(given[0].field)) ?? []),
    ...(expected && !metric[expected.field]
      ? [required(at.child(expected.field), 'must populate information for the given metric source')]
      : []),
    ...(given.length === 1 ? [] : given.filter((source) => source !== expected)).map(({ field }) =>
      forbiddenField(at.child(field), 'must populate the given metric source only'),
    ),
  ];
}

const longestWindow = 3600;
const longestPeriod = 1800;

const atMost = (value: number | undefined, limit: number, at: FieldPath): FieldError[] =>
  value !== undefined && value > limit ? [invalidValue(at, value, `must be less than or equal to ${limit}`)] : [];

function validateRules(rules: ScalingRules | undefined, at: FieldPath): FieldError[] {
  if (!rules) return [];
  const window = rules.stabilizationWindowSeconds;
  return [
    ...nonNegative(window, at.child('stabilizationWindowSeconds')),
    ...atMost(window, longestWindow, at.child('stabilizationWindowSeconds')),
    ...oneOf(rules.selectPolicy, ['Disabled', 'Max', 'Min'], at.child('selectPolicy')),
    ...(rules.policies?.length ? [] : [required(at.child('policies'), 'must specify at least one Policy')]),
    ...eachOf(rules.policies, at.child('policies'), ({ type, value, periodSeconds }, here) => [
      ...oneOf(type ?? '', ['Percent', 'Pods'], here.child('type')),
      ...positive(value ?? 0, here.child('value')),
      ...positive(periodSeconds ?? 0, here.child('periodSeconds')),
      ...atMost(periodSeconds, longestPeriod, here.child('periodSeconds')),
    ]),
  ];
}

export const validateBehavior = (behavior: Behavior | undefined, at: FieldPath): FieldError[] => [
  ...validateRules(behavior?.scaleUp, at.child('scaleUp')),
  ...validateRules(behavior?.scaleDown, at.child('scaleDown')),
];
