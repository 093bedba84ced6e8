import { isJsonObject } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import { checkStructure } from '../../schema/check.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { objectMeta, structureOf } from '../structure.ts';

/** Under these stand schemas by name or number, or one alone. */
const holders = [
  ...['properties', 'patternProperties', 'definitions', 'allOf', 'anyOf', 'oneOf'],
  ...['not', 'items', 'additionalProperties', 'additionalItems'],
];
const byName: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions']);

type Parts = Record<string, unknown>;

/** A copy in which each schema, at every depth, went through `tidy`. */
function tidied(schema: JsonSchema, tidy: (parts: Parts) => void): JsonSchema {
  const root: Parts = { schema };
  // Not by recursion: a body may be nested deeper than that bears.
  const waiting: [holder: Parts, key: string][] = [[root, 'schema']];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const parts = copied(place);
    if (!parts) continue;
    tidy(parts);
    for (const keyword of holders) {
      const isMany = byName.has(keyword) || Array.isArray(parts[keyword]);
      const many = isMany ? copied([parts, keyword]) : undefined;
      if (many) for (const key of Object.keys(many)) waiting.push([many, key]);
      else waiting.push([parts, keyword]);
    }
  }
  return root['schema'] as JsonSchema;
}

/** Puts a copy in the place of an object or list, and gives it; undefined for anything else. */
function copied([holder, key]: readonly [Parts, string]): Parts | undefined {
  const value = holder[key];
  if (typeof value !== 'object' || value === null) return undefined;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Parts;
  holder[key] = copy;
  return copy;
}

/** A default of null is no default, and what is no schema for elements none either: they are dropped at every depth. */
export const withoutNullDefaults = (schema: JsonSchema): JsonSchema =>
  tidied(schema, (parts) => {
    if (parts['default'] === null) delete parts['default'];
    const { items } = parts;
    if (typeof items !== 'object' || (Array.isArray(items) && items.length === 0)) delete parts['items'];
  });

/** What says nothing when it is empty, though it counts as said until it is stored. */
const emptiable = [
  'allOf',
  'anyOf',
  'oneOf',
  'definitions',
  'dependencies',
  'enum',
  'patternProperties',
  'x-kubernetes-list-map-keys',
] as const;

/** The schema as it is stored. */
export const storedSchema = (schema: JsonSchema): JsonSchema =>
  tidied(schema, (parts) => {
    if (holdsMetadata(parts['default'])) parts['default'] = withoutUnknown(parts['default'], parts);
    for (const keyword of emptiable) {
      const value = parts[keyword];
      if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) delete parts[keyword];
    }
  });

const holdsMetadata = (value: unknown): value is Json =>
  Array.isArray(value)
    ? value.some(holdsMetadata)
    : isJsonObject(value as Json) &&
      (Object.hasOwn(value as object, 'metadata') || Object.values(value as object).some(holdsMetadata));

/** Of embedded objects within a default only what metadata can hold is kept. */
function withoutUnknown(value: Json, schema: JsonSchema): Json {
  const type = structureOf({ type: 'object', properties: { value: schema } }, objectMeta());
  return (checkStructure({ value }, type, { mode: 'prune' }).value as unknown as { value: Json }).value;
}
