import type { FieldPath } from './field-path.ts';
import { shownValue } from './json-value.ts';
import type { Json } from './kube-object.ts';

export type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueDuplicate'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueNotFound'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** One broken rule about one field; becomes one cause of a 422 answer. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** Such as `spec.rules[0].host` or `metadata.labels`. */
  readonly field: string;
  /** The whole text of the cause, the value included. */
  readonly text: string;
}

/** Where so many faults were found, further entries of a list need not be looked at. */
export const enoughErrors = 2500;

/** Adds errors to others, however many they are. */
export function append(errors: FieldError[], more: readonly FieldError[]): void {
  for (const each of more) errors.push(each);
}

/** What is wrong with the entries of a list, as far as that need be known. */
export function errorsOfEach<T>(
  list: readonly T[],
  errorsOf: (entry: T, index: number) => readonly FieldError[],
): FieldError[] {
  const errors: FieldError[] = [];
  for (let index = 0; index < list.length && errors.length < enoughErrors; index++)
    append(errors, errorsOf(list[index] as T, index));
  return errors;
}

const at = (path: FieldPath | string) => String(path);

/** How a value reads inside a message. */
const show = (value: unknown): string => shownValue(value as Json | undefined);

export const required = (path: FieldPath | string, detail = ''): FieldError => ({
  reason: 'FieldValueRequired',
  field: at(path),
  text: detail ? `Required value: ${detail}` : 'Required value',
});

export const invalidValue = (path: FieldPath | string, value: unknown, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field: at(path),
  text: `Invalid value: ${show(value)}: ${detail}`,
});

export const notSupported = (path: FieldPath | string, value: unknown, supported: readonly string[]): FieldError => ({
  reason: 'FieldValueNotSupported',
  field: at(path),
  text: `Unsupported value: ${show(value)}: supported values: ${supported.map((each) => JSON.stringify(each)).join(', ')}`,
});

export const forbiddenField = (path: FieldPath | string, detail: string): FieldError => ({
  reason: 'FieldValueForbidden',
  field: at(path),
  text: `Forbidden: ${detail}`,
});

export const duplicate = (path: FieldPath | string, value: unknown): FieldError => ({
  reason: 'FieldValueDuplicate',
  field: at(path),
  text: `Duplicate value: ${show(value)}`,
});

export const tooLong = (path: FieldPath | string, limit: number): FieldError => ({
  reason: 'FieldValueTooLong',
  field: at(path),
  text: `Too long: must have at most ${limit} bytes`,
});

export const tooMany = (path: FieldPath | string, count: number, limit: number): FieldError => ({
  reason: 'FieldValueTooMany',
  field: at(path),
  text: `Too many: ${count}: must have at most ${limit} items`,
});

/** The server could not work out what the value means. */
export const internalError = (path: FieldPath | string, detail: string): FieldError => ({
  reason: 'InternalError',
  field: at(path),
  text: `Internal error: ${detail}`,
});

export const fieldNotFound = (path: FieldPath | string, value: unknown): FieldError => ({
  reason: 'FieldValueNotFound',
  field: at(path),
  text: `Not found: ${show(value)}`,
});
