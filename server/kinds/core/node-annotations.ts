import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { isJsonObject } from '../../base/json-value.ts';
import { eachOf } from '../field-rules.ts';
import { jsonIn, objectsIn } from './annotation-json.ts';
import { type Taint, validateTaints } from './taints.ts';

/** Annotations of nodes that the server itself reads: they come from the time before there were fields for them. */

const taints = 'scheduler.alpha.kubernetes.io/taints';
const avoidedPods = 'scheduler.alpha.kubernetes.io/preferAvoidPods';

const at = FieldPath.of('metadata', 'annotations');

export const nodeAnnotationErrors = (
  annotations: Readonly<Record<string, string>> | undefined,
): readonly FieldError[] => [
  ...(annotations?.[taints] ? taintErrors(annotations[taints]) : []),
  ...(annotations?.[avoidedPods] ? avoidedPodErrors(annotations[avoidedPods]) : []),
];

function taintErrors(text: string): readonly FieldError[] {
  const list = objectsIn(text, ['key', 'value', 'effect']);
  return list
    ? validateTaints(list as readonly Taint[], at.child(taints))
    : [invalidValue(at, taints, 'must be a list of taints in JSON')];
}

/** Which pods a node would rather not have: those of certain controllers. */
function avoidedPodErrors(text: string): readonly FieldError[] {
  const value = jsonIn(text);
  const list = isJsonObject(value) ? (value['preferAvoidPods'] ?? []) : value === null ? [] : undefined;
  if (!Array.isArray(list) || !list.every(isJsonObject))
    return [invalidValue(at.child('AvoidPods'), avoidedPods, 'must be a list of pods to avoid in JSON')];
  return eachOf(list, at.child(avoidedPods), ({ podSignature }, here) => {
    const owner = isJsonObject(podSignature) ? podSignature['podController'] : undefined;
    const signature = here.child('PodSignature');
    if (!isJsonObject(owner)) return [required(signature)];
    return owner['controller'] === true
      ? []
      : [invalidValue(signature.child('PodController').child('Controller'), owner['controller'], 'must be true')];
  });
}
