import { deepEqual } from '../../../base/deep-equal.ts';
import type { Toleration } from '../../../kinds/core/pod/shape.ts';

/** Whether everything that `narrow` tolerates is tolerated by `wide` too. */
export function coversToleration(wide: Toleration, narrow: Toleration): boolean {
  if (deepEqual(wide, narrow)) return true;
  const anyKey = !wide.key && wide.operator === 'Exists';
  if (!anyKey && (wide.key ?? '') !== (narrow.key ?? '')) return false;
  if (wide.effect && wide.effect !== narrow.effect) return false;
  if (wide.effect === 'NoExecute' && wide.tolerationSeconds !== undefined) {
    if (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > wide.tolerationSeconds) return false;
  }
  if (wide.operator === 'Exists') return true;
  return (narrow.operator || 'Equal') === 'Equal' && (wide.value ?? '') === (narrow.value ?? '');
}

/** Both lists without what others of them cover; of equals the first stays. Quadratic, so meant for lists of tolerations. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const redundant = (each: Toleration, index: number) =>
    all.some(
      (other, at) => at !== index && coversToleration(other, each) && (at < index || !coversToleration(each, other)),
    );
  return all.filter((each, index) => !redundant(each, index));
}
