import type { Json, Send } from '../../verbs/client.ts';
import { groupVersionPath, type OracleKind } from '../oracle-kind.ts';

/** Member names; a number stands for an entry of a list, `*` for any key of a map. */
export type FieldPath = readonly (string | number)[];

/** What a schema says of one field. */
export interface Field {
  readonly path: FieldPath;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'map' | 'any';
  readonly format?: string;
  readonly values?: readonly Json[];
}

const deepest = 9;

/** A kind with the fields that its schema tells of. */
export interface KnownKind {
  readonly kind: OracleKind;
  readonly fields: readonly Field[];
  /** The schema of the kind, if there is one, and those that it refers to. */
  readonly root?: Json;
  readonly schemas: Schemas;
}

/** By the name of each. */
export type Schemas = Readonly<Record<string, Json>>;

/** The fields of kinds, by the OpenAPI documents of the first server that has a schema of the kind. */
export async function knownKinds(
  servers: readonly Send[],
  kinds: readonly OracleKind[],
): Promise<readonly KnownKind[]> {
  const known: KnownKind[] = [];
  for (const path of new Set(kinds.map(groupVersionPath))) {
    const documents = await Promise.all(servers.map((send) => send('GET', `/openapi/v3${path}`)));
    const all = documents.map(({ body }): Schemas => body?.components?.schemas ?? {});
    for (const kind of kinds.filter((one) => groupVersionPath(one) === path)) {
      const schemas = all.find((some) => rootIn(some, kind)) ?? {};
      known.push({ kind, fields: fieldsIn(schemas, kind), root: rootIn(schemas, kind), schemas });
    }
  }
  return known;
}

/** The fields of a kind, the outermost first; none where there is no schema of it. */
function fieldsIn(schemas: Schemas, kind: OracleKind): readonly Field[] {
  const root = rootIn(schemas, kind);
  const found: Field[] = [];
  if (root) walk(root, [], schemas, [], found);
  return found
    .filter(({ path }) => path.length > 0 && !isFixed(path))
    .sort((one, other) => one.path.length - other.path.length);
}

const rootIn = (schemas: Schemas, kind: OracleKind): Json => Object.values(schemas).find((one) => isOf(one, kind));

const isOf = (schema: Json, { group, version, kind }: OracleKind): boolean =>
  (schema['x-kubernetes-group-version-kind'] ?? []).some(
    (one: Json) => one.group === group && one.version === version && one.kind === kind,
  );

/** Type and metadata are told of elsewhere. */
const isFixed = ([first]: FieldPath): boolean => first === 'apiVersion' || first === 'kind' || first === 'metadata';

export function resolved(schema: Json, schemas: Schemas): { name: string; schema: Json } {
  const target = schema?.$ref ?? schema?.allOf?.[0]?.$ref;
  if (typeof target !== 'string') return { name: '', schema: schema ?? {} };
  const name = target.slice(target.lastIndexOf('/') + 1);
  return { name, schema: { ...schemas[name], ...(schema.default === undefined ? {} : { default: schema.default }) } };
}

function walk(given: Json, path: FieldPath, schemas: Schemas, within: readonly string[], found: Field[]): void {
  const { name, schema } = resolved(given, schemas);
  // A schema that holds itself is told of once.
  if (path.length > deepest || (name !== '' && within.filter((one) => one === name).length > 1)) return;
  const below = name === '' ? within : [...within, name];
  found.push(fieldOf(schema, path));
  if (path.length === 1 && path[0] === 'metadata') return;
  for (const [member, inner] of Object.entries(schema.properties ?? {}))
    walk(inner, [...path, member], schemas, below, found);
  if (schema.items) walk(schema.items, [...path, 0], schemas, below, found);
  if (schema.additionalProperties && typeof schema.additionalProperties === 'object')
    walk(schema.additionalProperties, [...path, '*'], schemas, below, found);
}

function fieldOf(schema: Json, path: FieldPath): Field {
  const isMap = schema.type === 'object' && schema.additionalProperties && !schema.properties;
  const type = isMap ? 'map' : (schema.type ?? (schema.properties ? 'object' : 'any'));
  return {
    path,
    type,
    ...(schema.format ? { format: schema.format } : {}),
    ...(schema.enum ? { values: schema.enum } : {}),
  };
}
