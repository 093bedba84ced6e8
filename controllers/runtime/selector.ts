import type { V1LabelSelector } from '@kubernetes/client-node';
import type { Wire } from './kube-object.ts';

export type LabelSelector = Wire<V1LabelSelector>;
type Labels = Readonly<Record<string, string>> | undefined;

/** Whether labels fit a selector as objects carry it. A missing selector fits nothing, an empty one everything. */
export function matches(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (!selector) return false;
  const pairs = Object.entries(selector.matchLabels ?? {});
  return (
    pairs.every(([key, value]) => labelOf(labels, key) === value) &&
    (selector.matchExpressions ?? []).every((each) => holds(each, labelOf(labels, each.key)))
  );
}

/** Whether a value, or the lack of one, is what one requirement of a selector asks for. An operator it does not know: no. */
export function holds(
  { operator, values = [] }: { readonly operator: string; readonly values?: readonly string[] },
  value: string | undefined,
): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

/** Whether labels fit a plain map, as Services have it. An empty one fits nothing. */
export const matchesMap = (map: Readonly<Record<string, string>> | undefined, labels: Labels): boolean => {
  const pairs = Object.entries(map ?? {});
  return pairs.length > 0 && pairs.every(([key, value]) => labelOf(labels, key) === value);
};

const labelOf = (labels: Labels, key: string): string | undefined =>
  labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
