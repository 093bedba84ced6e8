import type { Definition } from './definition.ts';
import { descriptionOf } from './descriptions.ts';
import { definitions } from './load.ts';
import { ownDescriptions } from './own-descriptions.ts';

/** A schema object of OpenAPI. */
export type Schema = { readonly [key: string]: unknown };

const mapValues = <T, U>(of: Readonly<Record<string, T>>, change: (value: T, key: string) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value, key)]));

/** The schema with `change` made to each schema directly inside it. */
const inside = (
  { properties, items, additionalProperties, ...rest }: Definition,
  change: (each: Definition) => Schema,
) => ({
  ...rest,
  ...(properties && { properties: mapValues(properties, change) }),
  ...(items && { items: change(items) }),
  ...(additionalProperties && { additionalProperties: change(additionalProperties) }),
});

function toVersion2({ default: _, ...definition }: Definition): Schema {
  const { $ref, ...rest } = inside(definition, toVersion2);
  return $ref ? { $ref: `#/definitions/${$ref}`, ...rest } : rest;
}

/** Siblings of a reference are not looked at in version 3.0, so a reference with company is wrapped. */
function toVersion3(definition: Definition): Schema {
  const { $ref, ...rest } = inside(definition, toVersion3);
  if (!$ref) return rest;
  const reference = { $ref: `#/components/schemas/${$ref}` };
  return Object.keys(rest).length > 0 ? { allOf: [reference], ...rest } : reference;
}

/** What version 2 cannot say: these take a number or text. */
const eitherOf: Readonly<Record<string, Schema>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': {
    format: 'int-or-string',
    oneOf: [{ type: 'integer' }, { type: 'string' }],
  },
};

const shortName = (definition: string) => definition.slice(definition.lastIndexOf('.') + 1);

/** The definition with what is said about it and each of its properties, which is what is said of their types at least. */
function described(definition: Definition, name: string): Definition {
  const { text, properties: texts } = descriptionOf(name);
  const own = ownDescriptions[shortName(name)] ?? {};
  const property = (each: Definition, field: string): Definition => ({
    description:
      texts.get(field) ??
      own[field] ??
      (each.$ref && descriptionOf(each.$ref).text) ??
      `The field ${field} of ${shortName(name)}.`,
    ...each,
  });
  const { properties } = definition;
  const said = text ?? own[''];
  return {
    ...(said !== undefined && { description: said }),
    ...definition,
    ...(properties && { properties: mapValues(properties, property) }),
  };
}

/** The built-in definitions as `definitions` of an OpenAPI v2 document. Made anew on each call. */
export const definitionsOfVersion2 = (): Record<string, Schema> =>
  mapValues(definitions(), (definition, name) => toVersion2(described(definition, name)));

/**
 * A built-in definition as one of `components.schemas` of an OpenAPI v3 document, each of which has but a few. Made anew
 * on each call.
 */
export function definitionOfVersion3(name: string): Schema | undefined {
  const all = definitions();
  const definition = Object.hasOwn(all, name) ? all[name] : undefined;
  return definition && (eitherOf[name] ?? toVersion3(described(definition, name)));
}
