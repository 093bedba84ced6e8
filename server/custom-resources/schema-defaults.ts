import { type FieldError, forbiddenField, invalidValue } from '../base/field-error.ts';
import { FieldPath } from '../base/field-path.ts';
import { isJsonObject } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { compileRules } from './expression-rules.ts';
import { Findings, noField } from './findings.ts';
import { compileMemberPruner } from './prune.ts';
import { innerParts } from './schema-parts.ts';
import { compileValidator } from './validate.ts';
import { compileEmbedded, isResource } from './validate-extensions.ts';

/**
 * The rules for defaults: none in metadata, no unknown fields, and each valid as it stands (defaults further inside
 * do not fill in what it lacks). `rulesToo`: the schema's rules are in order, so defaults must obey them as well.
 */
export function validateDefaults(schema: JsonSchema, path: FieldPath, rulesToo: boolean): FieldError[] {
  const errors = schema.default === undefined ? [] : rootDefaultErrors(schema, schema.default, path.child('default'));
  for (const part of innerParts(schema, path)) {
    const metadata = part.kind === 'property' && part.name === 'metadata';
    errors.push(...(metadata ? noDefaults(part.schema, part.path) : defaultsWithin(part.schema, part.path, rulesToo)));
  }
  return errors;
}

/** A default of whole objects, which none that is written can lack, has to be one itself. */
function rootDefaultErrors(schema: JsonSchema, value: Json, path: FieldPath): FieldError[] {
  const found = new Findings();
  isResource(value, path, found);
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...own } = isJsonObject(value) ? value : {};
  return [...found.errors, ...defaultErrors(schema, isJsonObject(value) ? own : value, path, false)];
}

function noDefaults(schema: JsonSchema, path: FieldPath): FieldError[] {
  const own =
    schema.default === undefined
      ? []
      : [forbiddenField(path.child('default'), 'must not be set in top-level metadata')];
  return [...own, ...[...innerParts(schema, path)].flatMap((part) => noDefaults(part.schema, part.path))];
}

function defaultsWithin(schema: JsonSchema, path: FieldPath, rulesToo: boolean): FieldError[] {
  const { default: value } = schema;
  const own = value === undefined ? [] : defaultErrors(schema, value, path.child('default'), rulesToo);
  return [...own, ...[...innerParts(schema, path)].flatMap((part) => defaultsWithin(part.schema, part.path, rulesToo))];
}

function defaultErrors(schema: JsonSchema, value: Json, path: FieldPath, rulesToo: boolean): FieldError[] {
  if (compileMemberPruner(schema)(value) !== value) return [invalidValue(path, value, 'must not have unknown fields')];
  const found = new Findings();
  compileValidator(schema)(value, FieldPath.root, found);
  compileEmbedded(schema)?.(value, FieldPath.root, found);
  const broken = rulesToo && found.errors.length === 0 ? (compileRules(schema)?.(value, value) ?? []) : [];
  return [...found.errors, ...broken].map((error) => ({ ...error, field: below(path, error.field) }));
}

function below(path: FieldPath, field: string): string {
  if (field === '' || field === noField) return String(path);
  return `${path}.${field}`;
}
