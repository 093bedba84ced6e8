import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../base/field-error.ts';
import { FieldPath } from '../base/field-path.ts';
import type { JsonSchema, ValidationRule } from '../schema/json-schema.ts';
import { compilePattern } from '../schema/regular-expression.ts';
import { otherType, validateListType } from './schema-lists.ts';
import { innerParts, junctorParts } from './schema-parts.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const mapTypes = ['atomic', 'granular'];

/** Keywords of JSON Schema that a definition may not use, at every depth. */
export const unsupportedKeywords = (schema: JsonSchema, path: FieldPath): FieldError[] =>
  everywhere(schema, path, unsupported);

/** The rules about single keywords, at every depth. */
export const validateKeywords = (schema: JsonSchema, path: FieldPath): FieldError[] =>
  everywhere(schema, path, keywords);

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
  ...typeErrors(schema, path),
  ...patternErrors(schema, path),
  ...mapTypeErrors(schema, path),
  ...validateListType(schema, path),
  ...ruleTexts(schema, path),
];

const refused = ['id', '$ref', 'definitions', 'dependencies', 'patternProperties', 'additionalItems'] as const;

function unsupported(schema: JsonSchema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const keyword of refused) {
    const value = schema[keyword];
    const used = typeof value === 'object' ? Object.keys(value).length > 0 || keyword === 'additionalItems' : value;
    if (used) errors.push(forbiddenField(path.child(keyword), `${keyword} is not supported`));
  }
  if (schema.uniqueItems) {
    errors.push(
      forbiddenField(
        path.child('uniqueItems'),
        'cannot be true, because comparing all items with each other is too slow',
      ),
    );
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    errors.push(invalidValue(path.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    errors.push(forbiddenField(path.child('items'), 'items must be a schema object and not an array'));
  }
  return errors;
}

function combinations(schema: JsonSchema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const additional = schema.additionalProperties;
  if (additional !== undefined && typeof additional !== 'object' && typeof additional !== 'boolean') {
    errors.push(invalidValue(path.child('additionalProperties'), additional, 'must be a schema or a boolean'));
  }
  const closing = additional !== undefined && additional !== true;
  if (closing && Object.keys(schema.properties ?? {}).length > 0) {
    errors.push(forbiddenField(path.child('additionalProperties'), 'cannot be used together with properties'));
  }
  return errors;
}

function typeErrors({ type }: JsonSchema, path: FieldPath): FieldError[] {
  if (!type || types.includes(type)) return [];
  const errors = [notSupported(path.child('type'), type, types)];
  if (type === 'null') errors.push(forbiddenField(path.child('type'), 'null is no type here, use nullable instead'));
  return errors;
}

function patternErrors({ pattern }: JsonSchema, path: FieldPath): FieldError[] {
  if (!pattern) return [];
  try {
    compilePattern(pattern);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [invalidValue(path.child('pattern'), pattern, `must be a valid regular expression: ${why}`)];
  }
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
  (schema['x-kubernetes-validations'] ?? []).flatMap((rule, i) =>
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
