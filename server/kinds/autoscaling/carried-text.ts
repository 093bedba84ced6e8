import { compact } from '../../base/compact.ts';
import type { LabelSelectorField } from '../label-selector-field.ts';
import type { AutoscalerCondition, ObjectReference } from './autoscaler-shape.ts';

/** Annotations always read the same, in whichever order an object was written. */
export const referenceInOrder = ({ kind = '', name = '', apiVersion }: ObjectReference): ObjectReference =>
  compact({ kind, name, apiVersion });

export function selectorInOrder(selector: LabelSelectorField): LabelSelectorField {
  const { matchLabels, matchExpressions } = selector;
  const byKey = ([one]: [string, string], [other]: [string, string]) => (one < other ? -1 : 1);
  return compact({
    matchLabels: matchLabels && Object.fromEntries(Object.entries(matchLabels).sort(byKey)),
    matchExpressions: matchExpressions?.map(({ key, operator, values }) => compact({ key, operator, values })),
  });
}

/** A time that is not known is told. */
export const conditionInOrder = (condition: AutoscalerCondition): object => {
  const { type = '', status = '', lastTransitionTime = null, reason, message } = condition;
  return compact({ type, status, lastTransitionTime, reason, message });
};

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON in which nothing could be taken for markup. */
export const carriedText = (value: object): string => JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escaped);
