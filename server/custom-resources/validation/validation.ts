import type { FieldError } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { Json, KubeObject } from '../../base/kube-object.ts';
import type { Work } from '../../base/turns/work.ts';
import type { ScalePaths } from '../../kinds/autoscaling/scale.ts';
import { contentErrors } from '../../registry/steps/metadata-rules.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { validateScale } from '../scale.ts';
import { compileRules } from './expression-rules.ts';
import { Findings, noField, type Validator } from './findings.ts';
import { compileValidator } from './validate.ts';
import { compileEmbedded, compileLists } from './validate-extensions.ts';

/**
 * Checks an object of one version; `previous` is there on updates, for rules about transitions. `throughStatus`: what is
 * written through the status subresource, which may hold an item of a set twice and embedded resources of any kind.
 */
export type ObjectValidator = (
  object: KubeObject,
  previous: KubeObject | undefined,
  throughStatus?: boolean,
) => Work<FieldError[]>;

/** After one of these, rules could meet values that they were not written for. */
const blocking: ReadonlySet<string> = new Set([
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const skipped: FieldError = {
  reason: 'FieldValueInvalid',
  field: noField,
  text: 'Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

/** What held something twice before it was forbidden may go on to. */
function holdsTwice(lists: Validator, previous: KubeObject | undefined): boolean {
  if (!previous) return false;
  const found = new Findings();
  lists(previous as unknown as Json, FieldPath.root, found);
  return found.errors.length > 0;
}

const blocks = (errors: readonly FieldError[]) => errors.some(({ reason }) => blocking.has(reason));

/**
 * Everything that a version's schema and scale subresource demand of an object. What is wrong with its metadata is told
 * elsewhere, but may stop rules.
 */
export function compileObjectValidator(schema: JsonSchema, scale: ScalePaths | undefined): ObjectValidator {
  const shape = compileValidator(schema);
  const embedded = compileEmbedded(schema);
  const lists = compileLists(schema);
  const rules = compileRules(schema);
  return function* (object, previous, throughStatus = false) {
    const value = object as unknown as Json;
    const found = new Findings();
    const rest = shape(value, FieldPath.root, found);
    if (rest) yield* rest;
    if (!throughStatus) embedded?.(value, FieldPath.root, found);
    if (!throughStatus && lists && !holdsTwice(lists, previous)) lists(value, FieldPath.root, found);
    const errors = scale ? [...found.errors, ...validateScale(object, scale)] : found.errors;
    if (!rules) return errors;
    if (blocks(errors) || blocks(contentErrors(object.metadata))) return [...errors, skipped];
    return [...errors, ...rules(value, previous as unknown as Json | undefined)];
  };
}
