import { deepEqual } from '../../base/deep-equal.ts';
import { type FieldError, forbiddenField, invalidValue, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { itemsOf, type JsonSchema } from '../../schema/json-schema.ts';
import { compilePattern } from '../../schema/regular-expression.ts';
import { innerParts, junctorParts } from './parts.ts';

type Level = 'root' | 'field' | 'item';

/**
 * The rules that make a schema structural: every value that it describes has a type outside of allOf, anyOf, oneOf
 * and not, and those only restrict values, they describe none.
 */
export function validateStructure(schema: JsonSchema, path: FieldPath): FieldError[] {
  return described(schema, path, 'root');
}

function described(schema: JsonSchema, path: FieldPath, level: Level): FieldError[] {
  const errors = [
    ...typeErrors(schema, path, level),
    ...eitherErrors(schema, path),
    ...patternErrors(schema, path),
    ...embeddedErrors(schema, path),
  ];
  const resource = level === 'root' || schema['x-kubernetes-embedded-resource'];
  if (resource) errors.push(...resourceErrors(schema, path));
  if (level === 'root') errors.push(...rootMetadataErrors(schema, path));
  if (resource && schema.additionalProperties !== undefined) {
    errors.push(forbiddenField(path.child('additionalProperties'), 'must not be used where metadata has its place'));
  }
  if (schema.type === 'array' && itemsOf(schema) === undefined) {
    errors.push(required(path.child('items'), 'must be specified'));
  }
  for (const part of innerParts(schema, path)) {
    errors.push(
      ...described(part.schema, part.path, part.kind === 'property' || part.kind === 'additional' ? 'field' : 'item'),
    );
  }
  for (const part of restrictions(schema, path)) {
    errors.push(...restricting(part.schema, part.path, part.types));
    if (level === 'root') errors.push(...undescribed(part.schema, part.path, schema, path));
  }
  return errors;
}

const typeless: Record<Level, string> = {
  root: 'must not be empty at the root',
  field: 'must not be empty for specified object fields',
  item: 'must not be empty for specified array items',
};

function typeErrors(schema: JsonSchema, path: FieldPath, level: Level): FieldError[] {
  const at = path.child('type');
  if (level === 'root' && schema.type && schema.type !== 'object') {
    return [invalidValue(at, schema.type, 'must be object at the root')];
  }
  const free = schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields'];
  return schema.type || free ? [] : [required(at, typeless[level])];
}

/** What is an integer or a text has no fields. */
function eitherErrors(schema: JsonSchema, path: FieldPath): FieldError[] {
  if (!schema['x-kubernetes-int-or-string']) return [];
  return (['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const).flatMap((keyword) =>
    schema[keyword]
      ? [invalidValue(path.child(keyword), true, 'must be false if x-kubernetes-int-or-string is true')]
      : [],
  );
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

function embeddedErrors(schema: JsonSchema, path: FieldPath): FieldError[] {
  if (!schema['x-kubernetes-embedded-resource']) return [];
  const errors: FieldError[] = [];
  if (schema.type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(schema.type ? invalidValue(path.child('type'), schema.type, why) : required(path.child('type'), why));
  }
  if (!schema['x-kubernetes-preserve-unknown-fields'] && Object.keys(schema.properties ?? {}).length === 0) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(path.child('properties'), why));
  }
  return errors;
}

/** The branches of the junctors; a pair of them may say that a value is an integer or a text. */
function* restrictions(schema: JsonSchema, path: FieldPath) {
  for (const part of junctorParts(schema, path)) {
    const types = isTypePair(schema.anyOf) && schema.anyOf?.includes(part.schema);
    const first = schema.allOf?.[0] === part.schema && isTypePair(part.schema.anyOf);
    yield { ...part, types: types ? ('own' as const) : first ? ('below' as const) : undefined };
  }
}

/** `anyOf: [{type: integer}, {type: string}]` */
const isTypePair = (branches: readonly JsonSchema[] | undefined) => deepEqual(branches, typePair);
const typePair = [{ type: 'integer' }, { type: 'string' }];

const mustBeUndefined = ['additionalProperties', 'default'] as const;
const mustBeEmpty = ['type', 'title', 'description'] as const;
const mustBeFalse = [
  'nullable',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
] as const;
const extensions = ['x-kubernetes-list-type', 'x-kubernetes-map-type'] as const;
const extensionLists = ['x-kubernetes-list-map-keys', 'x-kubernetes-validations'] as const;

function restricting(schema: JsonSchema, path: FieldPath, types: 'own' | 'below' | undefined): FieldError[] {
  const errors = patternErrors(schema, path);
  const forbid = (keyword: string, what: string) =>
    errors.push(forbiddenField(path.child(keyword), `must be ${what} to be structural`));
  for (const keyword of mustBeEmpty) {
    if (schema[keyword] && !(keyword === 'type' && types === 'own')) forbid(keyword, 'empty');
  }
  for (const keyword of mustBeUndefined) if (schema[keyword] !== undefined) forbid(keyword, 'undefined');
  for (const keyword of mustBeFalse) if (schema[keyword]) forbid(keyword, 'false');
  for (const keyword of extensions) if (schema[keyword] !== undefined) forbid(keyword, 'undefined');
  for (const keyword of extensionLists) if (schema[keyword]?.length) forbid(keyword, 'empty');
  const inner = types === 'below' ? isBranchOf(schema) : undefined;
  for (const part of junctorParts(schema, path)) {
    errors.push(...restricting(part.schema, part.path, inner?.(part.schema) ? 'own' : undefined));
  }
  for (const part of innerParts(schema, path)) {
    if (part.kind === 'property' && part.name === 'metadata') {
      errors.push(forbiddenField(part.path, 'must not be specified in a nested context'));
    }
    if (part.kind !== 'additional') errors.push(...restricting(part.schema, part.path, undefined));
  }
  return errors;
}

/** What a branch at the root speaks of must be described outside of it; below the root nobody asks. */
function undescribed(branch: JsonSchema, at: FieldPath, schema: JsonSchema, path: FieldPath): FieldError[] {
  const missing = (where: FieldPath, speaking: FieldPath) => [required(where, `because it is defined in ${speaking}`)];
  const errors = [...junctorParts(branch, at)].flatMap((part) => undescribed(part.schema, part.path, schema, path));
  for (const part of innerParts(branch, at)) {
    if (part.kind === 'additional') continue;
    const property = part.kind === 'property';
    const where = property ? path.child('properties').key(part.name) : path.child('items');
    const own = property ? propertyOf(schema, part.name) : itemsOf(schema);
    errors.push(...(own ? undescribed(part.schema, part.path, own, where) : missing(where, part.path)));
  }
  return errors;
}

const propertyOf = ({ properties = {} }: JsonSchema, name: string): JsonSchema | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;

const isBranchOf =
  ({ anyOf = [] }: JsonSchema) =>
  (schema: JsonSchema) =>
    anyOf.includes(schema);

/** What every object has keeps its type, whatever a schema says about it. */
function resourceErrors({ properties = {} }: JsonSchema, root: FieldPath): FieldError[] {
  return Object.entries(resourceTypes).flatMap(([name, wanted]) => {
    if (!Object.hasOwn(properties, name)) return [];
    const { type = '' } = properties[name] as JsonSchema;
    const at = root.child('properties').key(name).child('type');
    return type === wanted ? [] : [invalidValue(at, type, `must be ${wanted}`)];
  });
}

const resourceTypes = { apiVersion: 'string', kind: 'string', metadata: 'object' } as const;

/** All a schema may say about the metadata of the whole object is how its name looks. */
function rootMetadataErrors({ properties = {} }: JsonSchema, root: FieldPath): FieldError[] {
  if (!Object.hasOwn(properties, 'metadata')) return [];
  const {
    type: _type,
    properties: members = {},
    default: _refusedLater,
    ...rest
  } = properties['metadata'] as JsonSchema;
  const others = Object.keys(members).some((name) => name !== 'name' && name !== 'generateName');
  if (!others && Object.keys(rest).length === 0) return [];
  const why = 'must only specify name and generateName; everything else in metadata is given';
  return [forbiddenField(root.child('properties').key('metadata'), why)];
}
