import { labelsOf, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import type { Node, Pod } from '../runtime/resources.ts';
import { matches } from '../runtime/selector.ts';
import type { Sight } from './sight.ts';

type Affinity = NonNullable<NonNullable<Pod['spec']>['affinity']>;
type Term = NonNullable<
  NonNullable<Affinity['podAntiAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>[number];

const termsOf = ({ spec }: Pod, side: 'podAffinity' | 'podAntiAffinity'): readonly Term[] =>
  spec?.affinity?.[side]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

/** Whether a pod does not want to be beside certain others, whoever came first. */
export const isLoner = (pod: Pod): boolean => termsOf(pod, 'podAntiAffinity').length > 0;

/** Why a pod may not be on a node because of the pods on it and around it; undefined when it may. */
export function neighbourhoodOf(pod: Pod, sight: Sight): (node: Node) => string | undefined {
  const placesOf = (term: Term) => placesWith(sight, term, (other) => speaksOf(term, pod, other, sight));
  const together = termsOf(pod, 'podAffinity');
  const wanted = together.map(placesOf);
  // The first of those that want to be together has nobody to go to.
  const isFirst =
    wanted.every(({ values }) => values.size === 0) && together.every((term) => speaksOf(term, pod, pod, sight));
  const shunned = termsOf(pod, 'podAntiAffinity').map(placesOf);
  const shunning = sight.loners.flatMap((loner) =>
    termsOf(loner, 'podAntiAffinity')
      .filter((term) => speaksOf(term, loner, pod, sight))
      .map((term) => placesWith(sight, term, (each) => each === loner)),
  );
  return (node) => {
    const value = (key: string) => labelsOf(node)[key];
    const isIn = ({ key, values }: Places) => values.has(value(key));
    if (!wanted.every((each) => isIn(each) || (isFirst && value(each.key) !== undefined)))
      return "node(s) didn't match the pod's affinity to others";
    if (shunned.some(isIn)) return "node(s) didn't match the pod's anti-affinity to others";
    return shunning.some(isIn) ? "node(s) didn't match the anti-affinity of pods there" : undefined;
  };
}

/** Values of a label of nodes. */
interface Places {
  readonly key: string;
  readonly values: ReadonlySet<string | undefined>;
}

/** Where pods are of this kind. */
function placesWith({ nodes, podsOn }: Sight, { topologyKey: key }: Term, isOne: (pod: Pod) => boolean): Places {
  const labelled = nodes.filter((node) => labelsOf(node)[key] !== undefined);
  const holding = labelled.filter((node) => podsOn(nameOf(node)).some(isOne));
  return { key, values: new Set(holding.map((node) => labelsOf(node)[key])) };
}

/** Whether a term of one pod is about another: about its own namespace, unless it says otherwise. */
function speaksOf(term: Term, owner: Pod, other: Pod, { labelsOfNamespace }: Sight): boolean {
  const { namespaces = [], namespaceSelector, labelSelector } = term;
  const where = namespaceOf(other);
  const isInSight =
    namespaces.length === 0 && !namespaceSelector
      ? where === namespaceOf(owner)
      : namespaces.includes(where) || matches(namespaceSelector, labelsOfNamespace(where));
  return isInSight && matches(labelSelector, labelsOf(other));
}
