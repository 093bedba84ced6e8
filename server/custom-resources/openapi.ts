import { itemsOf, type JsonSchema } from '../schema/json-schema.ts';
import type { CustomResource } from './custom-resource.ts';

/** A definition of an OpenAPI document. */
export type OpenApiSchema = { readonly [keyword: string]: unknown };

export interface OpenApiDefinitions {
  /** The definitions of the kind and of its list, by names such as `com.example.shop.v1.Duck`. */
  readonly definitions: Readonly<Record<string, OpenApiSchema>>;
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const typeMeta = {
  apiVersion: { type: 'string', description: 'The group and version whose form the object has.' },
  kind: { type: 'string', description: 'The kind of the object, in CamelCase.' },
};

/** The group backwards, the version, the kind: `com.example.shop.v1.Duck`. */
const definitionName = (group: string, version: string, kind: string): string =>
  `${group.split('.').reverse().join('.')}.${version}.${kind}`;

/** How one version of OpenAPI spells things. */
interface Dialect {
  readonly prefix: string;
  /** A reference with a description beside it. */
  described(name: string, description: string): OpenApiSchema;
  /** Whether it can describe the value at all; what it cannot is left open. */
  describes(schema: JsonSchema): boolean;
  readonly unknown: readonly (keyof JsonSchema)[];
}

const v3: Dialect = {
  prefix: '#/components/schemas/',
  described: (name, description) => ({ description, allOf: [{ $ref: `${v3.prefix}${name}` }] }),
  describes: () => true,
  unknown: [],
};

const v2: Dialect = {
  prefix: '#/definitions/',
  described: (name, description) => ({ description, $ref: `${v2.prefix}${name}` }),
  // It has no null and one type a value; and clients that check by it would refuse the fields that are kept.
  describes: (schema) =>
    !schema.nullable && !schema['x-kubernetes-int-or-string'] && !schema['x-kubernetes-preserve-unknown-fields'],
  unknown: ['oneOf', 'anyOf', 'allOf', 'not', 'nullable', 'x-kubernetes-validations'],
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
    type: 'object',
    required: ['items'],
    properties: {
      ...typeMeta,
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
  const spelt = spell(schema, dialect);
  // Naming a few fields of an object that keeps all would make the others look wrong.
  if (!dialect.describes(schema)) return { type: 'object', ...spelt };
  return withMeta({ ...spelt, type: 'object' }, dialect);
}

const withMeta = (schema: OpenApiSchema, dialect: Dialect): OpenApiSchema => ({
  ...schema,
  properties: {
    ...(schema['properties'] as object | undefined),
    ...typeMeta,
    metadata: dialect.described(`${meta}.ObjectMeta`, 'What is said about objects of every kind.'),
  },
});

function spell(schema: JsonSchema, dialect: Dialect): OpenApiSchema {
  if (!dialect.describes(schema)) return openSchema(schema, dialect);
  const spelt: Record<string, unknown> = { ...schema };
  for (const keyword of dialect.unknown) delete spelt[keyword];
  const { properties, additionalProperties: additional } = schema;
  if (properties) {
    spelt['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, spell(each, dialect)]),
    );
  }
  const items = itemsOf(schema);
  if (items) spelt['items'] = spell(items, dialect);
  if (typeof additional === 'object') spelt['additionalProperties'] = spell(additional, dialect);
  return schema['x-kubernetes-embedded-resource'] ? withMeta(spelt, dialect) : spelt;
}

/** Only what is said about the value as a whole. */
function openSchema(schema: JsonSchema, { unknown }: Dialect): OpenApiSchema {
  const extensions = Object.entries(schema).filter(
    ([name]) => name.startsWith('x-kubernetes-') && !unknown.includes(name as keyof JsonSchema),
  );
  return { ...(schema.description && { description: schema.description }), ...Object.fromEntries(extensions) };
}
