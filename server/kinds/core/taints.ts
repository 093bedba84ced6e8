import { duplicate, type FieldError, invalidValue } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { labelValue, qualifiedName } from '../../base/names.ts';
import { eachOf, requiredOneOf } from '../field-rules.ts';

/** What keeps pods away from a node. */
export interface Taint {
  key?: string;
  value?: string;
  effect?: string;
  timeAdded?: string;
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** No two of them may have both key and effect in common. */
export function validateTaints(taints: readonly Taint[] | undefined, at: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return eachOf(taints, at, (taint, here) => {
    const pair = `${taint.key}:${taint.effect}`;
    const twice = seen.has(pair);
    seen.add(pair);
    return [
      ...qualifiedName(taint.key ?? '').map((problem) => invalidValue(here.child('key'), taint.key ?? '', problem)),
      ...labelValue(taint.value ?? '').map((problem) => invalidValue(here.child('value'), taint.value, problem)),
      ...requiredOneOf(taint.effect, effects, here.child('effect')),
      ...(twice ? [duplicate(here, taint)] : []),
    ];
  });
}
