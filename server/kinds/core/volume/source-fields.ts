import { type FieldError, required } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { dnsLabel, type Problems } from '../../../base/names.ts';
import { between, named, requiredName, requiredText } from '../../field-rules.ts';

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

/** A name of that form, where one is given. */
export const formed =
  (field: string, rule: (name: string) => Problems): SourceCheck =>
  (source, at) =>
    named(text(source, field), rule, at.child(field));

const secret = (source: Source, field: string) => source[field] as { name?: string; namespace?: string } | undefined;

/** A secret beside the pod: it needs a name. */
export const secretName =
  (field: string): SourceCheck =>
  (source, at) => {
    const ref = secret(source, field);
    return ref ? requiredText(ref.name, at.child(field).child('name')) : [];
  };

/** A secret from anywhere: it needs a name and a namespace. */
export const secretPlace =
  (field: string): SourceCheck =>
  (source, at) => {
    const ref = secret(source, field);
    const here = at.child(field);
    return ref
      ? [...requiredText(ref.name, here.child('name')), ...requiredText(ref.namespace, here.child('namespace'))]
      : [];
  };

/** As `secretPlace`, and both must be names. */
export const secretAddress =
  (field: string): SourceCheck =>
  (source, at) => {
    const ref = secret(source, field);
    const here = at.child(field);
    return ref
      ? [
          ...requiredName(ref.name, dnsLabel, here.child('name')),
          ...requiredName(ref.namespace, dnsLabel, here.child('namespace')),
        ]
      : [];
  };
