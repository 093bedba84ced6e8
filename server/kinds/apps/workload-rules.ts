import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import type { PodPolicy } from '../core/pod/security.ts';
import type { LabelSelector, PodTemplateSpec } from '../core/pod/shape.ts';
import { validateWorkloadTemplate } from '../core/pod/spec.ts';
import { immutable } from '../field-rules.ts';
import { selectorMatches, selectsAll, validateLabelSelector } from '../label-selector-field.ts';

/** What the kinds that keep pods running have in common. */

/** A selector must be there and must not take all pods. */
export function validateSelector(selector: LabelSelector | undefined, kind: string, at: FieldPath): FieldError[] {
  if (!selector) return [required(at)];
  return [
    ...validateLabelSelector(selector, at),
    ...(selectsAll(selector) ? [invalidValue(at, selector, `empty selector is invalid for ${kind}`)] : []),
  ];
}

/** The template must make pods that the selector takes, and that are kept running. */
export function validateOwnTemplate(
  template: PodTemplateSpec | undefined,
  selector: LabelSelector | undefined,
  policy: PodPolicy,
  at: FieldPath,
): FieldError[] {
  const labels = template?.metadata?.labels ?? {};
  const fits = selector && !selectsAll(selector) ? selectorMatches(selector, labels) : selector !== undefined;
  return [
    ...(fits
      ? []
      : [invalidValue(at.child('metadata').child('labels'), labels, '`selector` does not match template `labels`')]),
    ...validateWorkloadTemplate(template, policy, at),
  ];
}

export const immutableSelector = (next: unknown, previous: unknown, at: FieldPath): FieldError[] =>
  immutable(next, previous, at.child('selector'));

const percentage = /^[0-9]+%$/;

/** A number of pods, or a percentage of them such as `25%`. */
export type PodCount = number | string;

/** A number that is not negative, or a percentage up to 100. */
export function validatePodCount(value: PodCount | undefined, at: FieldPath): FieldError[] {
  if (value === undefined) return [];
  if (typeof value === 'number')
    return value < 0 ? [invalidValue(at, value, 'must be greater than or equal to 0')] : [];
  if (!percentage.test(value))
    return [invalidValue(at, value, "must be a number or a percentage (such as '1' without quotes or '93%')")];
  return [];
}

export const notOver100 = (value: PodCount | undefined, at: FieldPath): FieldError[] =>
  typeof value === 'string' && percentage.test(value) && Number.parseInt(value, 10) > 100
    ? [invalidValue(at, value, 'must not be greater than 100%')]
    : [];

/** The number itself, or that before the percent sign. */
export const countOf = (value: PodCount | undefined): number =>
  typeof value === 'number' ? value : value !== undefined && percentage.test(value) ? Number.parseInt(value, 10) : 0;
