import type { Node, Pod } from '../resources.ts';
import { holds } from '../selector.ts';

type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];
type Toleration = NonNullable<NonNullable<Pod['spec']>['tolerations']>[number];
type PodSpec = NonNullable<Pod['spec']>;
type NodeTerm = NonNullable<
  NonNullable<NonNullable<PodSpec['affinity']>['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>['nodeSelectorTerms'][number];
type Requirement = NonNullable<NodeTerm['matchExpressions']>[number];

/** Whether a toleration bears a taint. */
export function tolerates({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' || (Boolean(key) && value === (taint.value ?? ''));
}

/** Whether the labels and the name of a node are what a pod selects and requires. */
export function isSelected(spec: Partial<PodSpec> | undefined, node: Node): boolean {
  const labels = node.metadata?.labels ?? {};
  const selects = Object.entries(spec?.nodeSelector ?? {}).every(
    ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
  );
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return selects && (!required || fitsAny(required.nodeSelectorTerms, node));
}

/** Whether a node is what one of the terms asks for. */
export const fitsAny = (terms: readonly NodeTerm[], node: Node): boolean => terms.some((term) => fits(term, node));

/** All that a term asks for; a term that asks for nothing fits no node. */
function fits({ matchExpressions = [], matchFields = [] }: NodeTerm, node: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const labels = node.metadata?.labels ?? {};
  const name = node.metadata?.name;
  return (
    matchExpressions.every((each) => nodeHolds(each, Object.hasOwn(labels, each.key) ? labels[each.key] : undefined)) &&
    matchFields.every((each) => nodeHolds(each, each.key === 'metadata.name' ? name : undefined))
  );
}

/** Nodes are selected by numbers too. */
function nodeHolds(requirement: Requirement, value: string | undefined): boolean {
  const { operator, values = [] } = requirement;
  if (operator === 'Gt') return Number(value) > Number(values[0]);
  if (operator === 'Lt') return Number(value) < Number(values[0]);
  return holds(requirement, value);
}
