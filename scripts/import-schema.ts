/**
 * Imports the structure of the v1.25 API into `server/schema/v1.25`: `node scripts/import-schema.ts FOLDER`, where
 * FOLDER holds definitions.json, definitions-v3.json, discovery.json, operations.json, protobuf.json, bootstrap.json.
 * Only structure is kept, no prose. The shapes that are written are described in `server/schema/load.ts`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition } from '../server/schema/definition.ts';
import { bootstrapFields, bootstrapObjects } from './bootstrap-fields.ts';

interface Operation {
  readonly gvk: unknown;
  readonly [part: string]: unknown;
}

interface ProtobufField {
  readonly name: string;
  readonly number: number;
  readonly type: string;
  readonly repeated?: boolean;
}

const target = join(import.meta.dirname, '../server/schema/v1.25');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const zeroOf: Readonly<Record<string, unknown>> = { string: '', integer: 0, boolean: false };

/** The few definitions that version 3 lacks: scalars that are required and the parts of an object always stand. */
function withAssumedDefaults(definition: Definition): Definition {
  const properties = Object.entries(definition.properties ?? {}).map(([name, property]) => {
    const zero = definition.required?.includes(name) ? zeroOf[property.type ?? ''] : undefined;
    const part = ['metadata', 'spec', 'status'].includes(name) && property.$ref ? {} : undefined;
    const value = zero ?? part;
    return [name, value === undefined ? property : { ...property, default: value }];
  });
  return { ...definition, ...(definition.properties && { properties: Object.fromEntries(properties) }) };
}

/** The one with the defaults of the other: version 3 differs from version 2 in form, and in having defaults. */
function withDefaults(definition: Definition, newer: Definition | undefined): Definition {
  if (!newer) return withAssumedDefaults(definition);
  const properties = Object.entries(definition.properties ?? {}).map(([name, property]) => [
    name,
    newer.properties?.[name] ? withDefaults(property, newer.properties[name]) : property,
  ]);
  return {
    ...definition,
    ...(definition.properties && { properties: Object.fromEntries(properties) }),
    ...(definition.items && newer.items && { items: withDefaults(definition.items, newer.items) }),
    ...(definition.additionalProperties &&
      newer.additionalProperties && {
        additionalProperties: withDefaults(definition.additionalProperties, newer.additionalProperties),
      }),
    ...('default' in newer && { default: newer.default }),
  };
}

/** Only the name of a definition: the rest of a reference differs between version 2 and 3. */
function shortReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortReferences);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === '$ref' && typeof each === 'string' ? each.replace(/^.*\//, '') : shortReferences(each),
    ]),
  );
}

function importDefinitions(older: Record<string, Definition>, newer: Record<string, Definition>) {
  return shortReferences(
    Object.fromEntries(Object.entries(older).map(([name, each]) => [name, withDefaults(each, newer[name])])),
  );
}

/** Many operations have the same form, so forms are listed once: `paths[path][method]` is `[form, kind]`. */
function importOperations(operations: Record<string, Record<string, Operation>>) {
  const forms = new Map<string, number>();
  const formOf = (operation: Operation) => {
    const text = JSON.stringify({ ...operation, gvk: undefined });
    if (!forms.has(text)) forms.set(text, forms.size);
    return forms.get(text);
  };
  const paths = Object.entries(operations).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, each]) => [method, [formOf(each), each.gvk]])),
  ]);
  return { forms: [...forms.keys()].map((text) => JSON.parse(text)), paths: Object.fromEntries(paths) };
}

/** `message: [[name, number, type, repeated], …]`, the types with their package. */
function importProtobuf(messages: Record<string, readonly ProtobufField[]>) {
  const full = (type: string, owner: string): string => {
    const map = /^map<([^,]+), ?(.+)>$/.exec(type);
    if (map) return `map<${map[1]},${full(map[2] ?? '', owner)}>`;
    const near = `${owner.slice(0, owner.lastIndexOf('.'))}.${type}`;
    return Object.hasOwn(messages, near) ? near : type;
  };
  return Object.fromEntries(
    Object.entries(messages).map(([message, fields]) => [
      message,
      fields.map(({ name, number, type, repeated }) => [name, number, full(type, message), repeated ? 1 : 0]),
    ]),
  );
}

function main(folder: string | undefined): void {
  if (!folder) {
    console.error('usage: node scripts/import-schema.ts FOLDER');
    process.exit(2);
  }
  const read = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  const write = (name: string, value: unknown) =>
    writeFileSync(join(target, `${name}.json`), `${JSON.stringify(value)}\n`);
  mkdirSync(target, { recursive: true });
  write('definitions', importDefinitions(read('definitions'), read('definitions-v3')));
  write('discovery', read('discovery'));
  write('operations', importOperations(read('operations')));
  write('protobuf', importProtobuf(read('protobuf')));
  const objects = bootstrapObjects(read('bootstrap'));
  write('bootstrap', objects);
  // From here on the structure just written is read.
  write('bootstrap-fields', bootstrapFields(objects, read('discovery')));
}

main(process.argv[2]);
