import { duplicate, type FieldError, invalidValue, required, tooLong } from '../base/field-error.ts';
import type { FieldPath } from '../base/field-path.ts';
import { qualifiedName } from '../base/names.ts';
import { eachOf, nonNegative, oneOf } from './field-rules.ts';

export interface Condition {
  type?: string;
  status?: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  observedGeneration?: number;
}

const reasonForm = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const longestReason = 1024;
/** In bytes. */
const longestMessage = 32_768;

/** Conditions of the common form, each of a type of its own. */
export function validateConditions(conditions: readonly Condition[] | undefined, at: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return eachOf(conditions, at, (condition, here) => {
    const { type = '', status = '', observedGeneration, lastTransitionTime, message = '' } = condition;
    const twice = type !== '' && seen.has(type);
    seen.add(type);
    return [
      ...qualifiedName(type).map((problem) => invalidValue(here.child('type'), type, problem)),
      ...(twice ? [duplicate(here.child('type'), type)] : []),
      ...oneOf(status, ['False', 'True', 'Unknown'], here.child('status')),
      ...nonNegative(observedGeneration, here.child('observedGeneration')),
      ...(lastTransitionTime ? [] : [required(here.child('lastTransitionTime'), 'must be set')]),
      ...validateReason(condition.reason, here.child('reason')),
      ...(Buffer.byteLength(message) > longestMessage ? [tooLong(here.child('message'), longestMessage)] : []),
    ];
  });
}

function validateReason(reason: string | undefined, at: FieldPath): FieldError[] {
  if (!reason) return [required(at, 'must be set')];
  const errors: FieldError[] = [];
  if (!reasonForm.test(reason))
    errors.push(
      invalidValue(at, reason, 'must begin with a letter, and then hold letters, digits, `_`, and within `,` or `:`'),
    );
  if (reason.length > longestReason) errors.push(tooLong(at, longestReason));
  return errors;
}
