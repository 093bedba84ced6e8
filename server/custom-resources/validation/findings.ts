import type { FieldError, FieldErrorReason } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import type { Json } from '../../base/kube-object.ts';
import type { Work } from '../../base/turns/work.ts';

/** How many errors one validation reports at most: a long list can break a rule in each item. */
const mostErrors = 1_000;

/** Errors found in one value, and how many parts were looked at (which decides the nearest branch of a junctor). */
export class Findings {
  readonly errors: FieldError[] = [];
  examined = 0;
  add(reason: FieldErrorReason, field: string, text: string): void {
    if (this.errors.length < mostErrors) this.errors.push({ reason, field, text });
  }
  merge(other: Findings): void {
    for (const { reason, field, text } of other.errors) this.add(reason, field, text);
    this.examined += other.examined;
  }
  get full(): boolean {
    return this.errors.length >= mostErrors;
  }
}

/** What errors about no field in particular carry as their field. */
export const noField = '<nil>';

/** Checks one value at a place; adds what is wrong. Never changes the value. */
export type Validator = (value: Json, path: FieldPath, found: Findings) => void;

/**
 * A validator that may have much to do: what it has not done at once is left to the caller, as work. A list of many items
 * with a choice of many schemas takes as long as both of them multiplied.
 */
export type LongValidator = (value: Json, path: FieldPath, found: Findings) => Work<void> | undefined;

/** Does something after what is left to do, if anything is. */
export function andThen(left: Work<void> | undefined, next: () => void): Work<void> | undefined {
  if (left) return both(left, next);
  next();
  return undefined;
}

function* both(first: Work<void>, next: () => void): Work<void> {
  yield* first;
  next();
}

/** The one text about a wrong type: the type that was found stands for the value. */
export const wrongType = (path: FieldPath, wanted: string, shown: string, found: Findings) =>
  found.add(
    'FieldValueTypeInvalid',
    String(path),
    `Invalid value: ${shown}: ${path} in body must be of type ${wanted}: ${shown}`,
  );

/** Parts of a value, or alternatives for it, that are looked at in a moment: after so many others may have their turn. */
export const few = 64;
