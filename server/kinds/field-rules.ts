import {
  append,
  duplicate,
  enoughErrors,
  type FieldError,
  invalidValue,
  notSupported,
  required,
} from '../base/field-error.ts';
import type { FieldPath } from '../base/field-path.ts';
import type { Work } from '../base/turns/work.ts';
import { sameValue } from './same-value.ts';

/** Checks of single fields that many kinds share. An absent value passes unless the name says otherwise. */

export const maxInt32 = 2_147_483_647;

export const nonNegative = (value: number | undefined, at: FieldPath): FieldError[] =>
  value !== undefined && value < 0 ? [invalidValue(at, value, 'must be greater than or equal to 0')] : [];

export const positive = (value: number | undefined, at: FieldPath): FieldError[] =>
  value !== undefined && value <= 0 ? [invalidValue(at, value, 'must be greater than 0')] : [];

export const between = (value: number | undefined, low: number, high: number, at: FieldPath): FieldError[] =>
  value !== undefined && (value < low || value > high)
    ? [invalidValue(at, value, `must be between ${low} and ${high}, inclusive`)]
    : [];

export const portNumber = (value: number | undefined, at: FieldPath): FieldError[] => between(value, 1, 65_535, at);

export const oneOf = (value: string | undefined, words: readonly string[], at: FieldPath): FieldError[] =>
  value !== undefined && !words.includes(value) ? [notSupported(at, value, words)] : [];

/** As `oneOf`, and something must be said. */
export const requiredOneOf = (value: string | undefined, words: readonly string[], at: FieldPath): FieldError[] =>
  value ? oneOf(value, words, at) : [required(at)];

export const requiredText = (value: string | undefined, at: FieldPath, detail = ''): FieldError[] =>
  value ? [] : [required(at, detail)];

/** One error for each problem that a rule of `base/names.ts` finds. */
export const named = (
  value: string | undefined,
  rule: (value: string) => readonly string[],
  at: FieldPath,
): FieldError[] => namedIfSet(value || undefined, rule, at);

/** As `named`, where a name that is there may not be empty either. */
export const namedIfSet = (
  value: string | undefined,
  rule: (value: string) => readonly string[],
  at: FieldPath,
): FieldError[] => (value === undefined ? [] : rule(value).map((problem) => invalidValue(at, value, problem)));

/** As `named`, and a name must be there. */
export const requiredName = (
  value: string | undefined,
  rule: (value: string) => readonly string[],
  at: FieldPath,
): FieldError[] => (value ? named(value, rule, at) : [required(at)]);

export const immutable = (next: unknown, previous: unknown, at: FieldPath): FieldError[] =>
  sameValue(next, previous) ? [] : [invalidValue(at, next, 'field is immutable')];

/** Errors of each entry of a list, or of as many as have enough. */
export function eachOf<T>(
  list: readonly T[] | null | undefined,
  at: FieldPath,
  check: (item: T, at: FieldPath, position: number) => readonly FieldError[],
): FieldError[] {
  const errors: FieldError[] = [];
  for (let position = 0; list && position < list.length && errors.length < enoughErrors; position++) {
    append(errors, check(list[position] as T, at.index(position), position));
  }
  return errors;
}

/** One error for each entry that stands in the list before. */
export function repeated(list: readonly string[], at: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return eachOf(list, at, (entry, here) => {
    const again = seen.has(entry);
    seen.add(entry);
    return again ? [duplicate(here, entry)] : [];
  });
}

/** So many entries are looked at at a stretch. */
const stretch = 500;

/** As `eachOf`, where others have their turn when the list is long. */
export function* eachInTurns<T>(
  list: readonly T[] | null | undefined,
  at: FieldPath,
  check: (item: T, at: FieldPath, position: number) => readonly FieldError[],
): Work<FieldError[]> {
  const errors: FieldError[] = [];
  for (let position = 0; list && position < list.length && errors.length < enoughErrors; position++) {
    if (position % stretch === stretch - 1) yield;
    append(errors, check(list[position] as T, at.index(position), position));
  }
  return errors;
}
