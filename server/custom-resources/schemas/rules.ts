import { type FieldError, forbiddenField, invalidValue } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import type { Work } from '../../base/turns/work.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { validateDefaults } from './defaults.ts';
import { validateRules } from './expressions.ts';
import { namesDialect, unsupportedKeywords, validateKeywords, validateNesting } from './keywords.ts';
import { schemaDepth } from './parts.ts';
import { validateStructure } from './structural.ts';

/** Schemas that are nested deeper are refused, because everything that follows a schema recurses along it. */
const deepest = 200;

/**
 * The rules for the schema that one version of a definition carries. `status`: the version has a status subresource,
 * so the root may only say what stays true when the status is written alone.
 */
export function* validateSchema(schema: JsonSchema, path: FieldPath, status: boolean): Work<FieldError[]> {
  if (schemaDepth(schema, deepest + 1) > deepest) {
    return [invalidValue(path, '', `must not be nested deeper than ${deepest} levels`)];
  }
  yield;
  const unsupported = unsupportedKeywords(schema, path);
  yield;
  const own = validateKeywords(schema, path);
  yield;
  const keywords = [...rootErrors(schema, path, status), ...unsupported, ...own, ...validateNesting(schema, path)];
  yield;
  const dialect = keywords.length === 0 ? dialectErrors(schema, path) : [];
  const errors = [...keywords, ...dialect];
  yield;
  // What an unsupported keyword was to describe would look undescribed.
  if (unsupported.length > 0 || namesDialect(schema)) return errors;
  yield;
  const structural = validateStructure(schema, path);
  if (structural.length > 0) return [...errors, ...structural];
  yield;
  const defaults = validateDefaults(schema, path);
  yield;
  return [...errors, ...(defaults.length > 0 ? defaults : yield* validateRules(schema, path, keywords))];
}

/** A schema cannot say which dialect of JSON Schema it is written in, wherever it stands. */
const dialectErrors = (schema: JsonSchema, path: FieldPath): FieldError[] =>
  namesDialect(schema) ? [invalidValue(path, '', '$schema is not supported')] : [];

const notWithStatus = [
  'id',
  '$schema',
  '$ref',
  'default',
  'enum',
  'minProperties',
  'maxProperties',
  'additionalProperties',
  'additionalItems',
  'patternProperties',
  'dependencies',
  'definitions',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'nullable',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
] as const;

function rootErrors(schema: JsonSchema, path: FieldPath, status: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.nullable) errors.push(forbiddenField(path.child('nullable'), 'the root cannot be null'));
  // What is no object at all is told for that.
  const isObject = !schema.type || schema.type === 'object';
  const excess = status && isObject ? notWithStatus.find((keyword) => isSet(schema, keyword)) : undefined;
  if (excess) {
    errors.push(
      invalidValue(path, excess, 'cannot stand at the root of the schema when the status subresource is enabled'),
    );
  }
  return errors;
}

/** Said already by being there, even when it says false or nothing. */
const saidByPresence: ReadonlySet<string> = new Set([
  '$ref',
  'additionalProperties',
  'additionalItems',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
]);

const isSet = (schema: JsonSchema, keyword: (typeof notWithStatus)[number]) => {
  const value = schema[keyword];
  return value !== undefined && (saidByPresence.has(keyword) || (value !== false && value !== ''));
};
