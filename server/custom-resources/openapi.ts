import { lazily } from '../base/caches/memo.ts';
import { descriptionOf } from '../schema/descriptions.ts';
import { itemsOf, type JsonSchema } from '../schema/json-schema.ts';
import type { CustomResource } from './custom-resource.ts';

/** A definition of an OpenAPI document. */
export type OpenApiSchema = { readonly [keyword: string]: unknown };

export interface OpenApiDefinitions {
  /** The definitions of the kind and of its list, by names such as `com.example.shop.v1.Duck`. */
  readonly definitions: Readonly<Record<string, OpenApiSchema>>;
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** What every kind says of its own kind and version. */
const typeMeta = lazily(() => {
  const { properties } = descriptionOf('io.k8s.api.core.v1.Pod');
  return {
    apiVersion: { type: 'string', description: properties.get('apiVersion') ?? 'The group and version of the object.' },
    kind: { type: 'string', description: properties.get('kind') ?? 'The kind of the object, in CamelCase.' },
  };
});

/** The group backwards, the version, the kind: `com.example.shop.v1.Duck`. */
const definitionName = (group: string, version: string, kind: string): string =>
  `${group.split('.').reverse().join('.')}.${version}.${kind}`;

/** How one version of OpenAPI spells things. */
interface Dialect {
  readonly prefix: string;
  /** A reference with a description beside it. */
  described(name: string, description: string): OpenApiSchema;
  /** It has no null and one type a value, and clients that check by it would refuse the fields that are kept. */
  readonly strict: boolean;
  /** What it does not tell, though a definition may. */
  readonly untold: readonly (keyof JsonSchema)[];
}

const examples: readonly (keyof JsonSchema)[] = ['example', 'externalDocs'];

const v3: Dialect = {
  prefix: '#/components/schemas/',
  described: (name, description) => ({ description, allOf: [{ $ref: `${v3.prefix}${name}` }] }),
  strict: false,
  untold: examples,
};

const v2: Dialect = {
  prefix: '#/definitions/',
  described: (name, description) => ({ description, $ref: `${v2.prefix}${name}` }),
  strict: true,
  untold: [...examples, 'default', 'nullable', 'oneOf', 'anyOf', 'allOf', 'not'],
};

/** What OpenAPI version 3 (`/openapi/v3/apis/<group>/<version>`) says of a custom kind and its list. */
export const openApiV3 = (resource: CustomResource): OpenApiDefinitions => definitionsOf(resource, v3);

/** What OpenAPI version 2 says of them. */
export const openApiV2 = (resource: CustomResource): OpenApiDefinitions => definitionsOf(resource, v2);

function definitionsOf(
  { group, served, plural, kind, listKind, schema }: CustomResource,
  dialect: Dialect,
): OpenApiDefinitions {
  const { version } = served;
  const named = (name: string) => ({ 'x-kubernetes-group-version-kind': [{ group, kind: name, version }] });
  const name = definitionName(group, version, kind);
  const list = {
    description: `Several objects of kind ${kind}.`,
    required: ['items'],
    properties: {
      ...typeMeta(),
      items: { description: `The ${plural}.`, type: 'array', items: { $ref: `${dialect.prefix}${name}` } },
      metadata: dialect.described(`${meta}.ListMeta`, 'What is said about the list as a whole.'),
    },
  };
  return {
    definitions: {
      [name]: { ...objectSchema(schema, dialect), ...named(kind) },
      [definitionName(group, version, listKind)]: { ...list, ...named(listKind) },
    },
  };
}

function objectSchema(schema: JsonSchema, dialect: Dialect): OpenApiSchema {
  // Naming a few fields of an object that keeps all would make the others look wrong.
  if (dialect.strict && keepsAll(schema)) return { type: 'object' };
  return withMeta({ ...spell(schema, dialect), type: 'object' }, dialect);
}

const keepsAll = (schema: JsonSchema) => schema['x-kubernetes-preserve-unknown-fields'] === true;

const withMeta = (schema: OpenApiSchema, dialect: Dialect): OpenApiSchema => ({
  ...schema,
  properties: {
    ...(schema['properties'] as object | undefined),
    ...typeMeta(),
    metadata: dialect.described(
      `${meta}.ObjectMeta`,
      "Standard object's metadata: what is said about objects of every kind.",
    ),
  },
});

function spell(schema: JsonSchema, dialect: Dialect): OpenApiSchema {
  const spelt: Record<string, unknown> = { ...schema };
  for (const keyword of dialect.untold) delete spelt[keyword];
  if (dialect.strict && (schema.nullable || keepsAll(schema))) return withoutShape(spelt, schema);
  const { properties, additionalProperties: additional } = schema;
  if (properties) {
    spelt['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, spell(each, dialect)]),
    );
  }
  const items = itemsOf(schema);
  if (items) spelt['items'] = spell(items, dialect);
  if (typeof additional === 'object') spelt['additionalProperties'] = spell(additional, dialect);
  if (dialect.strict) withoutNullable(spelt, schema);
  else if (schema['x-kubernetes-int-or-string'] && !schema.anyOf && !schema.allOf) spelt['anyOf'] = eitherType;
  return schema['x-kubernetes-embedded-resource'] ? embedded(spelt, dialect) : spelt;
}

const eitherType = [{ type: 'integer' }, { type: 'string' }];

/** A value that is left open, because not all that it can be can be told. */
function withoutShape(spelt: Record<string, unknown>, { nullable, type }: JsonSchema): OpenApiSchema {
  for (const keyword of ['properties', 'additionalProperties', 'items']) delete spelt[keyword];
  if (nullable || type === 'object') delete spelt['type'];
  return spelt;
}

/** A property that may be null counts as one that may be absent. */
function withoutNullable(spelt: Record<string, unknown>, { required, properties = {} }: JsonSchema): void {
  if (!required) return;
  const left = required.filter((name) => !(Object.hasOwn(properties, name) && properties[name]?.nullable));
  if (left.length > 0) spelt['required'] = left;
  else delete spelt['required'];
}

function embedded(spelt: Record<string, unknown>, dialect: Dialect): OpenApiSchema {
  const given = (spelt['required'] as readonly string[] | undefined) ?? [];
  const missing = ['kind', 'apiVersion'].filter((name) => !given.includes(name));
  return { ...withMeta(spelt, dialect), required: [...given, ...missing] };
}
