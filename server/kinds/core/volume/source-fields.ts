import { type FieldError, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { between, requiredText } from '../../field-rules.ts';

/** Where a volume comes from; its fields are as decoded. */
export type Source = { readonly [field: string]: unknown };

export type SourceCheck = (source: Source, at: FieldPath) => FieldError[];

export const text = (source: Source, field: string) => source[field] as string | undefined;
export const count = (source: Source, field: string) => source[field] as number | undefined;
export const entries = (source: Source, field: string) => (source[field] as string[] | undefined) ?? [];

export const needs =
  (...fields: string[]): SourceCheck =>
  (source, at) =>
    fields.flatMap((field) => requiredText(text(source, field), at.child(field)));

export const all =
  (...checks: SourceCheck[]): SourceCheck =>
  (source, at) =>
    checks.flatMap((check) => check(source, at));

export const filled =
  (field: string): SourceCheck =>
  (source, at) =>
    entries(source, field).length > 0 ? [] : [required(at.child(field))];

export const within =
  (field: string, low: number, high: number): SourceCheck =>
  (source, at) =>
    between(count(source, field), low, high, at.child(field));
