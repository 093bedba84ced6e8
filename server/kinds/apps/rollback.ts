import type { FieldError } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { nonNegative } from '../field-rules.ts';
import { unreadableNumber } from './workload-rules.ts';

/** The revision to go back to, which nobody does any more: a number of the spec that `apps/v1` has no field for. */
export const rollbackAnnotation = 'deprecated.deployment.rollback.to';

const rollbackOf = ({ metadata }: KubeObject) => metadata.annotations?.[rollbackAnnotation];

/** None where it is empty. */
export const unreadableRollback = (object: KubeObject): string | undefined =>
  rollbackOf(object) ? unreadableNumber(object, rollbackAnnotation) : undefined;

function setRollback({ metadata }: KubeObject, revision: string | undefined): void {
  const { [rollbackAnnotation]: _, ...others } = metadata.annotations ?? {};
  const annotations = revision === undefined ? others : { ...others, [rollbackAnnotation]: revision };
  if (Object.keys(annotations).length > 0) metadata.annotations = annotations;
  else delete metadata.annotations;
}

/** Writes it as a number is written; an empty text is none. In place. */
export function settleRollback(object: KubeObject): void {
  const text = rollbackOf(object);
  if (text === undefined || unreadableRollback(object) !== undefined) return;
  const settled = text ? String(BigInt(text.replace(/^\+/, ''))) : undefined;
  if (settled !== text) setRollback(object, settled);
}

export const validateRollback = (object: KubeObject, at: FieldPath): FieldError[] =>
  nonNegative(Number(rollbackOf(object) ?? 0), at.child('rollback').child('version'));

/** As it was. In place. */
export function keepRollback(next: KubeObject, previous: KubeObject): void {
  if (rollbackOf(next) !== rollbackOf(previous)) setRollback(next, rollbackOf(previous));
}
