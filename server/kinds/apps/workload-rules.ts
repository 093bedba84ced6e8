import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { isInteger } from '../../base/json-value.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import type { Work } from '../../base/turns/work.ts';
import type { PodPolicy } from '../core/pod/security.ts';
import type { PodTemplateSpec } from '../core/pod/shape.ts';
import { validateWorkloadTemplate } from '../core/pod/spec.ts';
import { eachOf, immutable } from '../field-rules.ts';
import {
  isSelector,
  type LabelSelectorField,
  selectorMatches,
  selectsAll,
  validateLabelSelector,
} from '../label-selector-field.ts';

/** What the kinds that keep pods running have in common. */

/** A selector must be there and must not take all pods. */
export function validateSelector(selector: LabelSelectorField | undefined, kind: string, at: FieldPath): FieldError[] {
  if (!selector) return [required(at)];
  return [
    ...validateLabelSelector(selector, at),
    ...(selectsAll(selector) ? [invalidValue(at, selector, `empty selector is invalid for ${kind}`)] : []),
  ];
}

/** The template must make pods that the selector takes. */
export function templateFits(
  template: PodTemplateSpec | undefined,
  selector: LabelSelectorField | undefined,
  at: FieldPath,
): FieldError[] {
  const labels = template?.metadata?.labels ?? {};
  return selectorMatches(selector, labels)
    ? []
    : [invalidValue(at.child('metadata').child('labels'), labels, '`selector` does not match template `labels`')];
}

/** What can be said of the template beside a selector that is none. */
export const templateFitsIfReadable = (
  template: PodTemplateSpec | undefined,
  selector: LabelSelectorField | undefined,
  at: FieldPath,
): FieldError[] => (selector && !isSelector(selector, at) ? [] : templateFits(template, selector, at));

/** What is told instead of the faults of a template beside a selector that is none; undefined: it is one. */
export function unreadableSelector(selector: LabelSelectorField | undefined, at: FieldPath): FieldError[] | undefined {
  const here = at.child('selector');
  return selector && !isSelector(selector, here) ? [invalidValue(here, selector, 'invalid label selector')] : undefined;
}

/** The template must make pods that the selector takes, and that are kept running. */
export function* validateOwnTemplate(
  template: PodTemplateSpec | undefined,
  selector: LabelSelectorField | undefined,
  policy: PodPolicy,
  at: FieldPath,
): Work<FieldError[]> {
  return [...templateFits(template, selector, at), ...(yield* validateWorkloadTemplate(template, policy, at))];
}

/** A disk that several pods share can only be read. */
export const sharedDisks = (template: PodTemplateSpec | undefined, at: FieldPath): FieldError[] =>
  eachOf(template?.spec?.volumes, at.child('spec').child('volumes'), ({ gcePersistentDisk }, here) => {
    const disk = gcePersistentDisk as { readOnly?: boolean } | undefined;
    return disk && !disk.readOnly
      ? [invalidValue(here.child('gcePersistentDisk').child('readOnly'), false, 'must be true for replicated pods > 1')]
      : [];
  });

/** As `sharedDisks`, once there is more than one pod. */
export const sharedDisksOf = (
  { replicas = 0, template }: { replicas?: number; template?: PodTemplateSpec },
  at: FieldPath,
): FieldError[] => (replicas > 1 ? sharedDisks(template, at) : []);

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

/** The number itself, or that in the text, with a percent sign or not; 0 where there is none. */
export const countOf = (value: PodCount | undefined): number => {
  if (typeof value === 'number') return value;
  const number = /^[+-]?[0-9]+$/.exec((value ?? '').replaceAll('%', ''));
  return number ? Number(number[0]) : 0;
};

/** An annotation that stands for a field of older versions, which was a number. @returns why it is none */
export function unreadableNumber({ metadata }: KubeObject, annotation: string): string | undefined {
  const text = metadata.annotations?.[annotation];
  if (text === undefined) return undefined;
  const shown = JSON.stringify(text);
  if (!/^[+-]?[0-9]+$/.test(text)) return `${annotation}: ${shown} is no number`;
  return isInteger(BigInt(text.replace(/^\+/, ''))) ? undefined : `${annotation}: ${shown} is out of range`;
}
