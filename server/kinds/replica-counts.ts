import { type FieldError, invalidValue } from '../base/field-error.ts';
import { FieldPath } from '../base/field-path.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { nonNegative } from './field-rules.ts';

const counts = ['replicas', 'updatedReplicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'currentReplicas'];

/** Counts in the status of what runs replicas: none negative, no part above the whole, no more available than ready. */
export function validateReplicaCounts({ status }: KubeObject): FieldError[] {
  const at = FieldPath.of('status');
  const numbers = (status ?? {}) as Record<string, number | undefined>;
  const total = numbers.replicas ?? 0;
  const tooMany = (field: string, limit: number, whole: string) =>
    (numbers[field] ?? 0) > limit
      ? [invalidValue(at.child(field), numbers[field], `cannot be greater than ${whole}`)]
      : [];
  return [
    ...counts.flatMap((field) => nonNegative(numbers[field], at.child(field))),
    ...nonNegative(numbers.observedGeneration, at.child('observedGeneration')),
    ...nonNegative(numbers.collisionCount, at.child('collisionCount')),
    ...counts.slice(1).flatMap((field) => tooMany(field, total, 'status.replicas')),
    ...tooMany('availableReplicas', numbers.readyReplicas ?? 0, 'readyReplicas'),
  ];
}
