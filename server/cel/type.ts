import { additionalOf, itemsOf, type JsonSchema } from '../schema/json-schema.ts';
import { escapedName } from './escape.ts';

/** A type that an expression can have, as it is checked before anything is evaluated. */
export type CelType = NamedType | ListType | MapType | ObjectType | TypeVariable;

export interface NamedType {
  readonly is:
    | 'int'
    | 'uint'
    | 'double'
    | 'bool'
    | 'string'
    | 'bytes'
    | 'null'
    | 'timestamp'
    | 'duration'
    | 'url'
    | 'type'
    | 'dyn';
}
export interface ListType {
  readonly is: 'list';
  readonly items: CelType;
}
export interface MapType {
  readonly is: 'map';
  readonly keys: CelType;
  readonly values: CelType;
}
/** An object of a schema; two are the same type only if they come from the same place of it. */
export interface ObjectType {
  readonly is: 'object';
  readonly fields: ReadonlyMap<string, CelType>;
}
/** Stands for one type that is found out by what it meets. */
export interface TypeVariable {
  readonly is: 'variable';
  bound?: CelType | undefined;
}

export const named = (is: NamedType['is']): NamedType => ({ is });
export const dyn = named('dyn');
export const listOf = (items: CelType): ListType => ({ is: 'list', items });
export const mapOf = (keys: CelType, values: CelType): MapType => ({ is: 'map', keys, values });

const string = named('string');
const metadata: ObjectType = {
  is: 'object',
  fields: new Map([
    ['name', string],
    ['generateName', string],
  ]),
};

/** The type of the values that a schema describes; undefined: rules cannot see them. */
export function typeOfSchema(schema: JsonSchema, root = false): CelType | undefined {
  if (schema['x-kubernetes-int-or-string']) return dyn;
  switch (schema.type) {
    case 'object':
      return objectType(schema, root);
    case 'array': {
      const items = itemsOf(schema);
      const type = items && typeOfSchema(items);
      return type && listOf(type);
    }
    case 'string':
      return textType(schema.format);
    case 'integer':
      return named('int');
    case 'number':
      return named('double');
    case 'boolean':
      return named('bool');
    default:
      return undefined;
  }
}

function textType(format: string | undefined): CelType {
  if (format === 'byte') return named('bytes');
  if (format === 'duration') return named('duration');
  return format === 'date' || format === 'date-time' ? named('timestamp') : string;
}

function objectType(schema: JsonSchema, root: boolean): CelType | undefined {
  const additional = additionalOf(schema);
  if (additional) {
    const values = typeOfSchema(additional);
    return values && mapOf(string, values);
  }
  const fields = new Map<string, CelType>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const escaped = escapedName(name);
    const type = typeOfSchema(property);
    if (escaped && type) fields.set(escaped, type);
  }
  if (root || schema['x-kubernetes-embedded-resource']) {
    fields.set('apiVersion', string).set('kind', string).set('metadata', metadata);
  }
  return { is: 'object', fields };
}

/** What a type variable stands for, as far as that is known. */
export function resolve(type: CelType): CelType {
  let resolved = type;
  while (resolved.is === 'variable' && resolved.bound) resolved = resolved.bound;
  return resolved;
}

/** A type as messages name it. */
export function nameOf(type: CelType): string {
  const resolved = resolve(type);
  if (resolved.is === 'list') return `list(${nameOf(resolved.items)})`;
  if (resolved.is === 'map') return `map(${nameOf(resolved.keys)}, ${nameOf(resolved.values)})`;
  return resolved.is === 'variable' ? 'any' : resolved.is;
}
