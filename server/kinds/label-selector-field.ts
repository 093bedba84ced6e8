import { type FieldError, forbiddenField, invalidValue, required } from '../base/field-error.ts';
import type { FieldPath } from '../base/field-path.ts';
import { labelValue, qualifiedName } from '../base/names.ts';
import { eachOf } from './field-rules.ts';

/** A selector as it stands in a field of an object. */
export interface LabelSelectorField {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key?: string;
    readonly operator?: string;
    readonly values?: readonly string[];
  }[];
}

/** Keys and values of a map of labels; every error names the map. */
export function validateLabels(labels: Readonly<Record<string, string>> | undefined, at: FieldPath): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...qualifiedName(key).map((problem) => invalidValue(at, key, problem)),
    ...labelValue(value).map((problem) => invalidValue(at, value, problem)),
  ]);
}

/** Checks a `metav1.LabelSelector` held in a field; absent is fine. The values of an expression may be any text. */
export function validateLabelSelector(selector: LabelSelectorField | undefined, at: FieldPath): FieldError[] {
  if (!selector) return [];
  return [
    ...validateLabels(selector.matchLabels, at.child('matchLabels')),
    ...eachOf(selector.matchExpressions, at.child('matchExpressions'), ({ key = '', operator, values = [] }, here) => [
      ...operatorFits(operator, values.length, here),
      ...qualifiedName(key).map((problem) => invalidValue(here.child('key'), key, problem)),
    ]),
  ];
}

function operatorFits(operator: string | undefined, values: number, at: FieldPath): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values > 0 ? [] : [required(at.child('values'), `${operator} needs at least one value`)];
    case 'Exists':
    case 'DoesNotExist':
      return values === 0 ? [] : [forbiddenField(at.child('values'), `${operator} takes no values`)];
    default:
      return [invalidValue(at.child('operator'), operator ?? '', 'not a valid selector operator')];
  }
}

/** Whether it is a selector at all; the values of an expression must be values of labels for that. */
export const isSelector = (selector: LabelSelectorField, at: FieldPath) =>
  validateLabelSelector(selector, at).length === 0 &&
  (selector.matchExpressions ?? []).every(({ values }) =>
    (values ?? []).every((value) => labelValue(value).length === 0),
  );

/** Whether no label is asked for, so that everything would be selected. */
export const selectsAll = (selector: LabelSelectorField) =>
  Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;

/**
 * Whether labels satisfy a selector field. An absent selector matches nothing, an empty one everything. A selector
 * that is not valid matches nothing.
 */
export function selectorMatches(
  selector: LabelSelectorField | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  if (!selector) return false;
  const has = labels ?? {};
  for (const [key, value] of Object.entries(selector.matchLabels ?? {}))
    if (!Object.hasOwn(has, key) || has[key] !== value) return false;
  return (selector.matchExpressions ?? []).every(({ key = '', operator, values = [] }) => {
    const value = Object.hasOwn(has, key) ? has[key] : undefined;
    if (operator === 'In') return value !== undefined && values.includes(value);
    if (operator === 'NotIn') return value === undefined || !values.includes(value);
    if (operator === 'Exists') return value !== undefined;
    return operator === 'DoesNotExist' && value === undefined;
  });
}
