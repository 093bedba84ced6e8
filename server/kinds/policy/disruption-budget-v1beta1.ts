import type { KubeObject } from '../../base/kube-object.ts';
import type { LabelSelectorField } from '../label-selector-field.ts';
import type { DisruptionBudget } from './disruption-budget-shape.ts';

/** Says in `policy/v1beta1` that all pods are meant, for there an empty selector means none. */
const emptyMatches = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

/** A PodDisruptionBudget of `policy/v1beta1`. */
export function budgetOfV1Beta1(object: KubeObject): KubeObject {
  const { spec } = object as DisruptionBudget;
  if (!spec?.selector) return object;
  return { ...object, spec: { ...spec, selector: selectorOfV1Beta1(spec.selector) } };
}

function selectorOfV1Beta1(selector: LabelSelectorField): LabelSelectorField {
  const { matchExpressions = [] } = selector;
  if (Object.keys(selector.matchLabels ?? {}).length > 0) return selector;
  if (matchExpressions.length === 0) return { matchExpressions: [{ key: emptyMatches, operator: 'Exists' }] };
  const [{ key, operator } = {}] = matchExpressions;
  const isMark = matchExpressions.length === 1 && key === emptyMatches && operator === 'DoesNotExist';
  return isMark ? {} : selector;
}
