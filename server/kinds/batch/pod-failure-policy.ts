import { duplicate, type FieldError, invalidValue, tooMany } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { qualifiedName } from '../../base/names.ts';
import type { PodSpec } from '../core/pod/shape.ts';
import { eachOf, requiredOneOf } from '../field-rules.ts';

interface OnExitCodes {
  containerName?: string;
  operator?: string;
  values?: number[];
}

interface PodConditionPattern {
  type?: string;
  status?: string;
}

interface PodFailureRule {
  action?: string;
  onExitCodes?: OnExitCodes;
  onPodConditions?: PodConditionPattern[];
}

export interface PodFailurePolicy {
  rules?: PodFailureRule[];
}

const maxRules = 20;
const maxPatterns = 20;
const maxValues = 255;

export function defaultFailurePolicy(policy: PodFailurePolicy | undefined): void {
  for (const rule of policy?.rules ?? []) for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
}

/** `pod`: what the job runs, whose containers a rule may name. */
export function validateFailurePolicy(policy: PodFailurePolicy, pod: PodSpec, at: FieldPath): FieldError[] {
  const rulesAt = at.child('rules');
  const { rules = [] } = policy;
  const containers = new Set([...(pod.containers ?? []), ...(pod.initContainers ?? [])].map(({ name }) => name ?? ''));
  return [
    ...(rules.length > maxRules ? [tooMany(rulesAt, rules.length, maxRules)] : []),
    ...eachOf(rules, rulesAt, (rule, here) => validateRule(rule, containers, here)),
  ];
}

function validateRule(rule: PodFailureRule, containers: ReadonlySet<string>, at: FieldPath): FieldError[] {
  const { action, onExitCodes, onPodConditions = [] } = rule;
  const errors = requiredOneOf(action, ['Count', 'FailJob', 'Ignore'], at.child('action'));
  if (onExitCodes) errors.push(...validateExitCodes(onExitCodes, containers, at.child('onExitCodes')));
  if (onPodConditions.length > 0) errors.push(...validatePatterns(onPodConditions, at.child('onPodConditions')));
  if (onExitCodes && onPodConditions.length > 0)
    errors.push(invalidValue(at, '', 'only one of onExitCodes and onPodConditions may be set'));
  if (!onExitCodes && onPodConditions.length === 0)
    errors.push(invalidValue(at, '', 'one of onExitCodes and onPodConditions must be set'));
  return errors;
}

const validatePatterns = (patterns: readonly PodConditionPattern[], at: FieldPath): FieldError[] => [
  ...(patterns.length > maxPatterns ? [tooMany(at, patterns.length, maxPatterns)] : []),
  ...eachOf(patterns, at, ({ type = '', status }, here) => [
    ...qualifiedName(type).map((problem) => invalidValue(here.child('type'), type, problem)),
    ...requiredOneOf(status, ['False', 'True', 'Unknown'], here.child('status')),
  ]),
];

function validateExitCodes(codes: OnExitCodes, containers: ReadonlySet<string>, at: FieldPath): FieldError[] {
  const { operator, containerName, values = [] } = codes;
  const errors = requiredOneOf(operator, ['In', 'NotIn'], at.child('operator'));
  if (containerName !== undefined && !containers.has(containerName))
    errors.push(invalidValue(at.child('containerName'), containerName, 'must be a container or init container'));
  return [...errors, ...validateValues(values, operator, at.child('values'))];
}

function validateValues(values: readonly number[], operator: string | undefined, at: FieldPath): FieldError[] {
  if (values.length === 0) return [invalidValue(at, values, 'must have at least one value')];
  const seen = new Set<number>();
  const errors = values.length > maxValues ? [tooMany(at, values.length, maxValues)] : [];
  for (const [position, value] of values.entries()) {
    if (operator === 'In' && value === 0) errors.push(invalidValue(at.index(position), value, 'must not be 0 with In'));
    if (seen.has(value)) errors.push(duplicate(at.index(position), value));
    seen.add(value);
  }
  const ascending = values.every((value, position) => position === 0 || (values[position - 1] ?? value) <= value);
  return ascending ? errors : [...errors, invalidValue(at, values, 'must be in ascending order')];
}

/** A failed pod that its node restarts never comes to be judged by a policy. */
export const neverRestarts = (restartPolicy: string | undefined, at: FieldPath): FieldError[] =>
  restartPolicy === 'Never' ? [] : [invalidValue(at, restartPolicy, 'must be Never together with podFailurePolicy')];
