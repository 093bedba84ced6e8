import { type FieldError, invalidValue } from '../base/field-error.ts';
import { FieldPath } from '../base/field-path.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { nonNegative } from './field-rules.ts';

/** How often the name of a revision was taken is never counted down, nor forgotten. */
export function collisionsOnlyRise(next: KubeObject, previous: KubeObject): FieldError[] {
  const count = ({ status }: KubeObject) => (status as { collisionCount?: number } | undefined)?.collisionCount;
  const [now, before] = [count(next), count(previous)];
  if (before === undefined || (now !== undefined && now >= before)) return [];
  return [invalidValue(FieldPath.of('status', 'collisionCount'), now ?? 0, 'cannot be decremented')];
}

/**
 * Counts in the status of what runs replicas: none negative, no part above the whole, no more available than ready.
 * `parts` are in the order in which their errors are told.
 */
export const replicaCounts =
  (...parts: string[]) =>
  (next: KubeObject, previous: KubeObject): FieldError[] => {
    const { status } = next;
    const at = FieldPath.of('status');
    const numbers = (status ?? {}) as Record<string, number | undefined>;
    const tooMany = (field: string, limit: number, whole: string) =>
      (numbers[field] ?? 0) > limit
        ? [invalidValue(at.child(field), numbers[field] ?? 0, `cannot be greater than ${whole}`)]
        : [];
    return [
      ...['replicas', ...parts, 'observedGeneration', 'collisionCount'].flatMap((field) =>
        nonNegative(numbers[field], at.child(field)),
      ),
      ...parts.flatMap((field) => tooMany(field, numbers.replicas ?? 0, 'status.replicas')),
      ...tooMany('availableReplicas', numbers.readyReplicas ?? 0, 'readyReplicas'),
      ...collisionsOnlyRise(next, previous),
    ];
  };
