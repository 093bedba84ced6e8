import { type FieldError, forbiddenField, invalidValue } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { isJsonObject, memberOf, shownValue, typeOf } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import { atOnce } from '../../base/turns/work.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { compileMemberPruner } from '../prune.ts';
import { compileRules } from '../validation/expression-rules.ts';
import { Findings, noField, type Validator } from '../validation/findings.ts';
import { compileValidator } from '../validation/validate.ts';
import { compileEach, compileEmbedded, isResource, ofEmbedded } from '../validation/validate-extensions.ts';
import { refuseRule } from './expressions.ts';
import { givenToObjects, innerParts } from './parts.ts';

/**
 * The rules for defaults: none in metadata, no unknown fields, and each valid as it stands (defaults further inside
 * do not fill in what it lacks).
 */
export function validateDefaults(schema: JsonSchema, path: FieldPath): FieldError[] {
  const errors = schema.default === undefined ? [] : rootDefaultErrors(schema, schema.default, path.child('default'));
  for (const part of innerParts(schema, path)) {
    const given = part.kind === 'property' && givenToObjects.has(part.name);
    errors.push(...(given ? noDefaults(part.schema, part.path) : defaultsWithin(part.schema, part.path)));
  }
  return errors;
}

/** A default of whole objects, which none that is written can lack, has to be one itself. */
function rootDefaultErrors(schema: JsonSchema, value: Json, path: FieldPath): FieldError[] {
  const found = new Findings();
  isResource(value, path, found);
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...own } = isJsonObject(value) ? value : {};
  const rest = isJsonObject(value) ? own : value;
  return found.errors.length > 0
    ? [...found.errors, ...unknownErrors(schema, rest, path)]
    : defaultErrors(schema, rest, path);
}

function noDefaults(schema: JsonSchema, path: FieldPath): FieldError[] {
  const own =
    schema.default === undefined
      ? []
      : [forbiddenField(path.child('default'), 'must not be set in what every object has')];
  return [...own, ...[...innerParts(schema, path)].flatMap((part) => noDefaults(part.schema, part.path))];
}

function defaultsWithin(schema: JsonSchema, path: FieldPath): FieldError[] {
  const { default: value } = schema;
  const own = value === undefined ? [] : defaultErrors(schema, value, path.child('default'));
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  return [
    ...own,
    ...[...innerParts(schema, path)].flatMap((part) => {
      // Nobody looks at what is below `additionalProperties`.
      if (part.kind === 'additional') return [];
      if (embedded && part.name === 'metadata') return metadataDefaults(part.schema, part.path);
      return defaultsWithin(part.schema, part.path);
    }),
  ];
}

const metadataTypes: Readonly<Record<string, string>> = {
  name: 'string',
  generateName: 'string',
  namespace: 'string',
  labels: 'object',
  annotations: 'object',
  finalizers: 'array',
  ownerReferences: 'array',
};

const fitsMetadata = (name: string, value: Json) =>
  !Object.hasOwn(metadataTypes, name) || typeOf(value) === metadataTypes[name];

/** The metadata of an embedded object may have unknown fields, but what is known keeps its type. */
function metadataDefaults({ properties = {} }: JsonSchema, path: FieldPath): FieldError[] {
  return Object.entries(properties).flatMap(([name, { default: value }]) => {
    if (value === undefined || fitsMetadata(name, value)) return [];
    return [invalidValue(path.child('properties').key(name).child('default'), value, 'must result in valid metadata')];
  });
}

const unknownErrors = (schema: JsonSchema, value: Json, path: FieldPath): FieldError[] =>
  compileMemberPruner(schema)(value) === value ? [] : [invalidValue(path, value, 'must not have unknown fields')];

function defaultErrors(schema: JsonSchema, value: Json, path: FieldPath): FieldError[] {
  const unreadable = new Findings();
  compileEach(schema, ofEmbedded(metadataIsReadable))?.(value, FieldPath.root, unreadable);
  if (unreadable.errors.length > 0) return unreadable.errors.map((error) => below(path, error, ''));
  const unknown = unknownErrors(schema, value, path);
  const embedded = new Findings();
  compileEmbedded(schema)?.(value, FieldPath.root, embedded);
  if (embedded.errors.length > 0) return [...unknown, ...embedded.errors.map((error) => below(path, error, ''))];
  const found = new Findings();
  const rest = compileValidator(ofAnyType(schema))(value, FieldPath.root, found);
  if (rest) atOnce(rest);
  const broken =
    found.errors.length === 0 ? (compileRules(schema, undefined, refuseRule)?.(value, value) ?? []) : found.errors;
  return [...unknown, ...broken.map((error) => below(path, error, '.'))];
}

/** What is no metadata is not looked at any further. */
const metadataIsReadable: Validator = (value, path, found) => {
  const metadata = isJsonObject(value) ? memberOf(value, 'metadata') : undefined;
  if (metadata === undefined || metadata === null) return;
  const fits = isJsonObject(metadata) && Object.entries(metadata).every(([name, member]) => fitsMetadata(name, member));
  if (!fits)
    found.add(
      'FieldValueInvalid',
      String(path.child('metadata')),
      `Invalid value: ${shownValue(metadata)}: no metadata`,
    );
};

/** A default is not asked whether it is an integer or a text, where either may stand. */
function ofAnyType({ 'x-kubernetes-int-or-string': _either, ...schema }: JsonSchema): JsonSchema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, ofAnyType(each)])),
    }),
    ...(typeof items === 'object' && !Array.isArray(items) && { items: ofAnyType(items as JsonSchema) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: ofAnyType(additionalProperties) }),
  };
}

function below(path: FieldPath, { field, ...error }: FieldError, beforeIndex: '' | '.'): FieldError {
  if (field === '' || field === noField) return { ...error, field: String(path) };
  return { ...error, field: `${path}${field.startsWith('[') ? beforeIndex : '.'}${field}` };
}
