import {
  errorsOfEach,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { JsonSchema, ValidationRule } from '../../schema/json-schema.ts';
import { otherType, validateListType } from './lists.ts';
import { givenToObjects, innerParts, junctorParts } from './parts.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const mapTypes = ['atomic', 'granular'];

/** Keywords of JSON Schema that a definition may not use, at every depth. */
export const unsupportedKeywords = (schema: JsonSchema, path: FieldPath): FieldError[] =>
  everywhere(schema, path, unsupported);

/** The rules about single keywords, at every depth. */
export const validateKeywords = (schema: JsonSchema, path: FieldPath): FieldError[] =>
  everywhere(schema, path, keywords);

/** There are no objects in what every object has. */
export function validateNesting(schema: JsonSchema, path: FieldPath, root = true): FieldError[] {
  const resource = root || schema['x-kubernetes-embedded-resource'] === true;
  return [...innerParts(schema, path)].flatMap((part) =>
    resource && part.kind === 'property' && givenToObjects.has(part.name)
      ? embeddedWithin(part.schema, part.path)
      : validateNesting(part.schema, part.path, false),
  );
}

function embeddedWithin(schema: JsonSchema, path: FieldPath): FieldError[] {
  const at = path.child('x-kubernetes-embedded-resource');
  const own = schema['x-kubernetes-embedded-resource']
    ? [forbiddenField(at, 'must not be used inside of what every object has')]
    : [];
  return [...own, ...[...innerParts(schema, path)].flatMap((part) => embeddedWithin(part.schema, part.path))];
}

/** Whether `$schema` occurs, at any depth. */
export const namesDialect = (schema: JsonSchema): boolean =>
  Boolean(schema.$schema) ||
  [...innerParts(schema, FieldPath.root), ...junctorParts(schema, FieldPath.root)].some((part) =>
    namesDialect(part.schema),
  );

type Rule = (schema: JsonSchema, path: FieldPath) => FieldError[];

/** Definitions are looked into as well, although none may be there. */
function everywhere(schema: JsonSchema, path: FieldPath, rule: Rule): FieldError[] {
  const errors = rule(schema, path);
  for (const [name, part] of Object.entries(schema.definitions ?? {}))
    errors.push(...everywhere(part, path.child('definitions').key(name), rule));
  for (const part of innerParts(schema, path)) errors.push(...everywhere(part.schema, part.path, rule));
  for (const part of junctorParts(schema, path)) errors.push(...everywhere(part.schema, part.path, rule));
  return errors;
}

const keywords: Rule = (schema, path) => [
  ...combinations(schema, path),
  ...uniqueErrors(schema, path),
  ...typeErrors(schema, path),
  ...mapTypeErrors(schema, path),
  ...validateListType(schema, path),
  ...ruleTexts(schema, path),
];

const refused = ['id', '$ref', 'definitions', 'dependencies', 'patternProperties', 'additionalItems'] as const;

function unsupported(schema: JsonSchema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const keyword of refused) {
    const value = schema[keyword];
    const used = saidByPresence.has(keyword) ? value !== undefined : isSaid(value);
    if (used) errors.push(forbiddenField(path.child(keyword), `${keyword} is not supported`));
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    errors.push(invalidValue(path.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    errors.push(forbiddenField(path.child('items'), 'items must be a schema object and not an array'));
  }
  return errors;
}

/** Refused even when they say nothing. */
const saidByPresence: ReadonlySet<string> = new Set(['$ref', 'dependencies', 'additionalItems']);
const isSaid = (value: unknown) => (typeof value === 'object' ? Object.keys(value ?? {}).length > 0 : Boolean(value));

function uniqueErrors({ uniqueItems }: JsonSchema, path: FieldPath): FieldError[] {
  if (!uniqueItems) return [];
  const why = 'cannot be true, because comparing all items with each other is too slow';
  return [forbiddenField(path.child('uniqueItems'), why)];
}

function combinations({ additionalProperties, properties = {} }: JsonSchema, path: FieldPath): FieldError[] {
  const closing = additionalProperties !== undefined && additionalProperties !== true;
  if (!closing || Object.keys(properties).length === 0) return [];
  return [forbiddenField(path.child('additionalProperties'), 'cannot be used together with properties')];
}

function typeErrors({ type }: JsonSchema, path: FieldPath): FieldError[] {
  if (!type || types.includes(type)) return [];
  const errors = [notSupported(path.child('type'), type, types)];
  if (type === 'null') errors.push(forbiddenField(path.child('type'), 'null is no type here, use nullable instead'));
  return errors;
}

function mapTypeErrors(schema: JsonSchema, path: FieldPath): FieldError[] {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return [];
  const errors: FieldError[] = [];
  if (!mapTypes.includes(mapType)) errors.push(notSupported(path.child('x-kubernetes-map-type'), mapType, mapTypes));
  const why = 'must be object if x-kubernetes-map-type is specified';
  if (schema.type !== 'object') errors.push(otherType(schema, why, path));
  return errors;
}

const ruleTexts: Rule = (schema, path) =>
  errorsOfEach(schema['x-kubernetes-validations'] ?? [], (rule, i) =>
    ruleTextErrors(rule ?? {}, path.child('x-kubernetes-validations').index(i)),
  );

/** A rule says something, and what it says to users fits on a line. */
function ruleTextErrors({ message, rule = '' }: ValidationRule, at: FieldPath): FieldError[] {
  if (rule.trim() === '') return [required(at.child('rule'), 'rule is not specified')];
  const own = at.child('message');
  if (message && message.trim() === '') return [invalidValue(own, message, 'message must be non-empty if specified')];
  if (message && /[\r\n]/.test(message.trim()))
    return [invalidValue(own, message, 'message must not contain line breaks')];
  if (!message && /[\r\n]/.test(rule.trim()))
    return [required(own, 'message must be specified if rule contains line breaks')];
  return [];
}
