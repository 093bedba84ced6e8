import { type FieldError, forbiddenField, invalidValue, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { pathSegment } from '../../base/names.ts';
import { eachOf, nonNegative, oneOf, positive, requiredName, requiredText } from '../field-rules.ts';
import { validateLabelSelector } from '../label-selector-field.ts';
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
  ...validateLabelSelector(metric?.selector, at.child('selector')),
];

const above0 = (quantity: string | undefined, at: FieldPath): FieldError[] =>
  quantity !== undefined && signOf(quantity) <= 0 ? [invalidValue(at, quantity, 'must be positive')] : [];

function validateTarget({ type, value, averageValue, averageUtilization }: MetricTarget, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!type) errors.push(required(at.child('type'), 'must specify a metric target type'));
  else if (!['Utilization', 'Value', 'AverageValue'].includes(type))
    errors.push(invalidValue(at.child('type'), type, 'must be either Utilization, Value, or AverageValue'));
  return [
    ...errors,
    ...above0(value, at.child('value')),
    ...above0(averageValue, at.child('averageValue')),
    ...positive(averageUtilization, at.child('averageUtilization')),
  ];
}

/** Which fields of a target a source can use: exactly one of them. */
function exactlyOne(target: MetricTarget, fields: readonly (keyof MetricTarget)[], at: FieldPath): FieldError[] {
  const [first = 'value'] = fields;
  const given = fields.filter((field) => target[field] !== undefined);
  if (given.length === 0) return [required(at.child(first), `must set ${fields.join(' or ')}`)];
  return given.slice(1).map((field) => forbiddenField(at.child(field), `may not set both ${fields.join(' and ')}`));
}

const perReplica = ['averageUtilization', 'averageValue'] as const;
const perObject = ['value', 'averageValue'] as const;

const sources: Readonly<Record<string, { field: keyof Metric; check(metric: Metric, at: FieldPath): FieldError[] }>> = {
  ContainerResource: {
    field: 'containerResource',
    check: ({ containerResource: source = {} }, at) => [
      ...requiredText(source.name, at.child('name'), 'must specify a resource name'),
      ...requiredText(source.container, at.child('container'), 'must specify a container'),
      ...validateTarget(source.target ?? {}, at.child('target')),
      ...exactlyOne(source.target ?? {}, perReplica, at.child('target')),
    ],
  },
  External: {
    field: 'external',
    check: ({ external: source = {} }, at) => [
      ...identifier(source.metric, at.child('metric')),
      ...validateTarget(source.target ?? {}, at.child('target')),
      ...exactlyOne(source.target ?? {}, perObject, at.child('target')),
    ],
  },
  Object: {
    field: 'object',
    check: ({ object: source = {} }, at) => [
      ...validateReference(source.describedObject, at.child('describedObject')),
      ...identifier(source.metric, at.child('metric')),
      ...validateTarget(source.target ?? {}, at.child('target')),
      ...exactlyOne(source.target ?? {}, perObject, at.child('target')),
    ],
  },
  Pods: {
    field: 'pods',
    check: ({ pods: source = {} }, at) => [
      ...identifier(source.metric, at.child('metric')),
      ...validateTarget(source.target ?? {}, at.child('target')),
      ...(source.target?.averageValue === undefined
        ? [required(at.child('target').child('averageValue'), 'must specify a positive target averageValue')]
        : []),
    ],
  },
  Resource: {
    field: 'resource',
    check: ({ resource: source = {} }, at) => [
      ...requiredText(source.name, at.child('name'), 'must specify a resource name'),
      ...validateTarget(source.target ?? {}, at.child('target')),
      ...exactlyOne(source.target ?? {}, perReplica, at.child('target')),
    ],
  },
};

export function validateMetric(metric: Metric, at: FieldPath): FieldError[] {
  const { type } = metric;
  if (!type) return [required(at.child('type'), 'must specify a metric source type')];
  const known = Object.hasOwn(sources, type) ? sources[type] : undefined;
  if (!known) return oneOf(type, Object.keys(sources), at.child('type'));
  const others = Object.values(sources).filter(({ field }) => field !== known.field && metric[field]);
  return [
    ...(metric[known.field]
      ? known.check(metric, at.child(known.field))
      : [required(at.child(known.field), 'must populate information for the given metric source')]),
    ...others.map(({ field }) => forbiddenField(at.child(field), 'must populate the given metric source only')),
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
