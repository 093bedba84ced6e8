import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { dnsLabel, dnsSubdomain, labelValue, qualifiedName } from '../../../base/names.ts';
import { between, eachOf, oneOf, positive, requiredText } from '../../field-rules.ts';
import { validateLabelSelector } from '../../label-selector-field.ts';
import type {
  Affinity,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  SelectorRequirement,
  Toleration,
  TopologySpreadConstraint,
} from './shape.ts';

/** What decides about the node a pod goes to. */

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** What is alike of two tolerations that differ in how long they last alone. */
export const tolerationKey = ({ tolerationSeconds: _seconds, ...rest }: Toleration): string =>
  JSON.stringify(Object.entries(rest).sort());

export const validateTolerations = (tolerations: readonly Toleration[] | undefined, at: FieldPath): FieldError[] =>
  eachOf(tolerations, at, (toleration, here) => {
    const { key, operator, value, effect, tolerationSeconds } = toleration;
    const errors: FieldError[] = [];
    if (key) errors.push(...qualifiedName(key).map((problem) => invalidValue(here.child('key'), key, problem)));
    else if (operator !== 'Exists')
      errors.push(invalidValue(here.child('operator'), operator ?? '', 'must be Exists when `key` is empty'));
    if (tolerationSeconds !== undefined && effect !== 'NoExecute')
      errors.push(
        invalidValue(here.child('effect'), effect ?? '', 'must be NoExecute when `tolerationSeconds` is set'),
      );
    if (!operator || operator === 'Equal')
      errors.push(...labelValue(value ?? '').map((problem) => invalidValue(here.child('operator'), value, problem)));
    else if (operator === 'Exists') {
      if (value) errors.push(invalidValue(here.child('operator'), toleration, 'value must be empty with Exists'));
    } else errors.push(notSupported(here.child('operator'), operator, ['Equal', 'Exists']));
    if (effect) errors.push(...oneOf(effect, effects, here.child('effect')));
    return errors;
  });

export function validateAffinity(affinity: Affinity | undefined, at: FieldPath): FieldError[] {
  if (!affinity) return [];
  return [
    ...nodeAffinity(affinity.nodeAffinity, at.child('nodeAffinity')),
    ...podAffinity(affinity.podAffinity, at.child('podAffinity')),
    ...podAffinity(affinity.podAntiAffinity, at.child('podAntiAffinity')),
  ];
}

const wanted = 'preferredDuringSchedulingIgnoredDuringExecution';
const needed = 'requiredDuringSchedulingIgnoredDuringExecution';

const weight = (value: number | undefined, at: FieldPath) => between(value ?? 0, 1, 100, at.child('weight'));

function nodeAffinity(affinity: Affinity['nodeAffinity'], at: FieldPath): FieldError[] {
  const must = affinity?.[needed];
  return [
    ...(must ? validateNodeSelector(must.nodeSelectorTerms, at.child(needed)) : []),
    ...eachOf(affinity?.[wanted], at.child(wanted), ({ weight: value, preference = {} }, here) => [
      ...weight(value, here),
      ...nodeSelectorTerm(preference, here.child('preference')),
    ]),
  ];
}

/** A choice of nodes: one of the terms must fit. */
export function validateNodeSelector(terms: readonly NodeSelectorTerm[] | undefined, at: FieldPath): FieldError[] {
  if (!terms?.length) return [required(at.child('nodeSelectorTerms'), 'must have at least one node selector term')];
  return eachOf(terms, at.child('nodeSelectorTerms'), nodeSelectorTerm);
}

const nodeSelectorTerm = ({ matchExpressions, matchFields }: NodeSelectorTerm, at: FieldPath): FieldError[] => [
  ...eachOf(matchExpressions, at.child('matchExpressions'), nodeExpression),
  ...eachOf(matchFields, at.child('matchFields'), nodeField),
];

function nodeExpression({ key = '', operator, values = [] }: SelectorRequirement, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const spot = at.child('values');
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) errors.push(required(spot, `${operator} needs at least one value`));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) errors.push(forbiddenField(spot, `${operator} takes no values`));
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) errors.push(required(spot, `${operator} needs exactly one value`));
  } else errors.push(invalidValue(at.child('operator'), operator ?? '', 'not a valid selector operator'));
  return [...errors, ...qualifiedName(key).map((problem) => invalidValue(at.child('key'), key, problem))];
}

function nodeField({ key, operator, values = [] }: SelectorRequirement, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(invalidValue(at.child('operator'), operator ?? '', 'not a valid selector operator'));
  else if (values.length !== 1) errors.push(required(at.child('values'), 'must be only one value'));
  if (key !== 'metadata.name')
    return [...errors, invalidValue(at.child('key'), key ?? '', 'not a valid field selector key')];
  return [
    ...errors,
    ...eachOf(values, at.child('values'), (value, here) =>
      dnsSubdomain(value).map((problem) => invalidValue(here, value, problem)),
    ),
  ];
}

const podAffinity = (affinity: PodAffinity | undefined, at: FieldPath): FieldError[] => [
  ...eachOf(affinity?.[needed], at.child(needed), podTerm),
  ...eachOf(affinity?.[wanted], at.child(wanted), ({ weight: value, podAffinityTerm = {} }, here) => [
    ...weight(value, here),
    ...podTerm(podAffinityTerm, here.child('podAffinityTerm')),
  ]),
];

const podTerm = (term: PodAffinityTerm, at: FieldPath): FieldError[] => [
  ...validateLabelSelector(term.labelSelector, at.child('labelSelector')),
  ...validateLabelSelector(term.namespaceSelector, at.child('namespaceSelector')),
  ...(term.namespaces ?? []).flatMap((name) =>
    dnsLabel(name).map((problem) => invalidValue(at.child('namespace'), name, problem)),
  ),
  ...requiredText(term.topologyKey, at.child('topologyKey'), 'can not be empty'),
  ...qualifiedName(term.topologyKey ?? '').map((problem) =>
    invalidValue(at.child('topologyKey'), term.topologyKey ?? '', problem),
  ),
];

const policies = ['Ignore', 'Honor'];

/** The selector of a constraint may be any. */
export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[] | undefined,
  at: FieldPath,
): FieldError[] {
  const pairs = (constraints ?? []).map(({ topologyKey, whenUnsatisfiable }) =>
    JSON.stringify([topologyKey, whenUnsatisfiable]),
  );
  return eachOf(constraints, at, (constraint, here, position) => {
    const { maxSkew, topologyKey, whenUnsatisfiable, matchLabelKeys } = constraint;
    const again = pairs.includes(pairs[position] as string, position + 1);
    return [
      ...positive(maxSkew ?? 0, here.child('maxSkew')),
      ...requiredText(topologyKey, here.child('topologyKey'), 'can not be empty'),
      ...oneOf(whenUnsatisfiable ?? '', ['DoNotSchedule', 'ScheduleAnyway'], here.child('whenUnsatisfiable')),
      ...(again
        ? [duplicate(here.child('{topologyKey, whenUnsatisfiable}'), `{${topologyKey}, ${whenUnsatisfiable}}`)]
        : []),
      ...minDomains(constraint, here.child('minDomains')),
      ...oneOf(constraint.nodeAffinityPolicy, policies, here.child('nodeAffinityPolicy')),
      ...oneOf(constraint.nodeTaintsPolicy, policies, here.child('nodeTaintsPolicy')),
      ...eachOf(matchLabelKeys, here.child('matchLabelKeys'), (key, spot) =>
        qualifiedName(key).map((problem) => invalidValue(spot, key, problem)),
      ),
    ];
  });
}

const minDomains = (constraint: TopologySpreadConstraint, at: FieldPath): FieldError[] => [
  ...positive(constraint.minDomains, at),
  ...(constraint.minDomains !== undefined && constraint.whenUnsatisfiable !== 'DoNotSchedule'
    ? [invalidValue(at, constraint.minDomains, 'can only use minDomains with DoNotSchedule')]
    : []),
];
