import { type FieldError, invalidValue, tooLong } from '../../../base/field-error.ts';
import type { FieldPath } from '../../../base/field-path.ts';
import { qualifiedName } from '../../../base/names.ts';

const annotationBytes = 262_144;

/** Annotations of a template: keys in any case, and a bound on the whole. */
export function validateAnnotations(annotations: Record<string, string> | undefined, at: FieldPath): FieldError[] {
  let size = 0;
  const errors = Object.entries(annotations ?? {}).flatMap(([key, value]) => {
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
    return qualifiedName(key.toLowerCase()).map((problem) => invalidValue(at, key, problem));
  });
  return size > annotationBytes ? [...errors, tooLong(at, annotationBytes)] : errors;
}
