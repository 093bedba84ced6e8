import type { FieldError } from '../base/field-error.ts';
import type { Json } from '../base/kube-object.ts';
import type { JsonSchema } from './json-schema.ts';
export function compileCelRules(
  _schema: JsonSchema,
): ((value: Json, previous: Json | undefined) => FieldError[]) | undefined {
  return undefined;
}
