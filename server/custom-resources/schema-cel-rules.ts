import type { FieldError } from '../base/field-error.ts';
import type { FieldPath } from '../base/field-path.ts';
import type { JsonSchema } from './json-schema.ts';
export function validateCelRules(_schema: JsonSchema, _path: FieldPath): FieldError[] {
  return [];
}
