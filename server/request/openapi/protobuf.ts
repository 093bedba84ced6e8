import protobuf from 'protobufjs/minimal.js';
import type { Work } from '../../base/turns/work.ts';
import type { Version2 } from './version-2.ts';

// The protobuf form of OpenAPI v2 (package `openapi.v2` of gnostic), as older clients ask for it. Field numbers are
// those of that package; what this server's document never has is left out.

type Members = { readonly [key: string]: unknown };
type Writer = protobuf.Writer;
type Write = (writer: Writer, value: never) => void;

/** A member of an object and the field that it becomes. */
interface FieldForm {
  readonly key: string;
  readonly number: number;
  readonly write: 'text' | 'truth' | 'number' | Write;
  readonly repeated?: boolean;
}

const field = (key: string, number: number, write: FieldForm['write'], repeated = false): FieldForm => ({
  key,
  number,
  write,
  repeated,
});

function writeField(writer: Writer, { number, write }: FieldForm, value: unknown): void {
  if (write === 'text') writer.uint32((number << 3) | 2).string(String(value));
  else if (write === 'truth') writer.uint32(number << 3).bool(value === true);
  else if (write === 'number') writer.uint32((number << 3) | 1).double(Number(value));
  else {
    writer.uint32((number << 3) | 2).fork();
    write(writer, value as never);
    writer.ldelim();
  }
}

function writeFields(writer: Writer, value: Members, fields: readonly FieldForm[]): void {
  for (const each of fields) {
    const member = value[each.key];
    if (member === undefined || member === null) continue;
    if (each.repeated) for (const one of member as unknown[]) writeField(writer, each, one);
    else writeField(writer, each, member);
  }
}

const message =
  (fields: readonly FieldForm[], extensionsAt?: number): Write =>
  (writer, value: Members) => {
    writeFields(writer, value, fields);
    if (extensionsAt) writeExtensions(writer, value, extensionsAt);
  };

/** Members beginning with `x-`: each a name with its value as YAML, of which JSON is a part. */
function writeExtensions(writer: Writer, value: Members, number: number): void {
  for (const key of Object.keys(value)) {
    if (!key.startsWith('x-')) continue;
    writer.uint32((number << 3) | 2).fork();
    writer.uint32(10).string(key).uint32(18).fork();
    writer.uint32(18).string(`${JSON.stringify(value[key])}\n`);
    writer.ldelim().ldelim();
  }
}

/** Entries of an object, each as a message of its name and its value. */
const named =
  (number: number, write: Write): Write =>
  (writer, value: Members) => {
    for (const entry of Object.entries(value)) writeEntry(writer, number, write, entry);
  };

function writeEntry(writer: Writer, number: number, write: Write, [name, member]: readonly [string, unknown]): void {
  writer.uint32((number << 3) | 2).fork();
  writer.uint32(10).string(name).uint32(18).fork();
  write(writer, member as never);
  writer.ldelim().ldelim();
}

/** A message whose only field is this one. */
const wrapped =
  (number: number, write: Write): Write =>
  (writer, value) => {
    writer.uint32((number << 3) | 2).fork();
    write(writer, value);
    writer.ldelim();
  };

const yamlValue: Write = (writer, value: unknown) => void writer.uint32(18).string(`${JSON.stringify(value)}\n`);

const typeItem: Write = (writer, value: string | readonly string[]) => {
  for (const each of typeof value === 'string' ? [value] : value) writer.uint32(10).string(each);
};

const additionalProperties: Write = (writer, value: Members | boolean) => {
  if (typeof value === 'boolean') writer.uint32(16).bool(value);
  else wrapped(1, schema)(writer, value as never);
};

const schemaFields: FieldForm[] = [
  field('$ref', 1, 'text'),
  field('format', 2, 'text'),
  field('title', 3, 'text'),
  field('description', 4, 'text'),
  field('default', 5, yamlValue),
  field('maximum', 7, 'number'),
  field('minimum', 9, 'number'),
  field('pattern', 13, 'text'),
  field('uniqueItems', 16, 'truth'),
  field('required', 19, 'text', true),
  field('enum', 20, yamlValue, true),
  field('additionalProperties', 21, additionalProperties),
  field('type', 22, typeItem),
];

/** Schemas hold schemas, so this one is made by hand. */
function schema(writer: Writer, value: never): void {
  const members = value as Members;
  writeFields(writer, members, schemaFields);
  writeFields(writer, members, [
    field('items', 23, wrapped(1, schema)),
    field('allOf', 24, schema, true),
    field('properties', 25, named(1, schema)),
  ]);
  writeExtensions(writer, members, 31);
}

const bodyParameter = message([
  field('name', 2, 'text'),
  field('in', 3, 'text'),
  field('required', 4, 'truth'),
  field('schema', 5, schema),
]);
const queryParameter = message([field('in', 2, 'text'), field('name', 4, 'text'), field('type', 6, 'text')]);
const pathParameter = message([
  field('required', 1, 'truth'),
  field('in', 2, 'text'),
  field('name', 4, 'text'),
  field('type', 5, 'text'),
]);

const parameter: Write = (writer, value: Members) => {
  const inner =
    value['in'] === 'body'
      ? wrapped(1, bodyParameter)
      : wrapped(2, value['in'] === 'path' ? wrapped(4, pathParameter) : wrapped(3, queryParameter));
  wrapped(1, inner)(writer, value as never);
};

const response = message([field('description', 1, 'text'), field('schema', 2, wrapped(1, schema))]);

const operation = message(
  [
    field('operationId', 5, 'text'),
    field('produces', 6, 'text', true),
    field('consumes', 7, 'text', true),
    field('parameters', 8, parameter, true),
    field('responses', 9, named(1, wrapped(1, response))),
    field('schemes', 10, 'text', true),
  ],
  13,
);

const pathItem = message(
  [
    field('get', 2, operation),
    field('put', 3, operation),
    field('post', 4, operation),
    field('delete', 5, operation),
    field('options', 6, operation),
    field('head', 7, operation),
    field('patch', 8, operation),
    field('parameters', 9, parameter, true),
  ],
  10,
);

const headFields = [
  field('swagger', 1, 'text'),
  field('info', 2, message([field('title', 1, 'text'), field('version', 2, 'text')])),
];

/** An OpenAPI v2 document in its protobuf form. */
export function* encodeOpenApi({ paths, definitions, rest }: Version2): Work<Buffer> {
  const head = new protobuf.Writer();
  writeFields(head, rest as Members, headFields);
  const inPaths = yield* entries(8, 2, pathItem, paths);
  const inDefinitions = yield* entries(9, 1, schema, definitions);
  return Buffer.concat([head.finish(), ...inPaths, ...inDefinitions]);
}

/** A message of nothing but entries, of which there are thousands, as a field of its number. */
function* entries(number: number, inner: number, write: Write, all: Version2['paths']): Work<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const entry of all) {
    const writer = new protobuf.Writer();
    writeEntry(writer, inner, write, entry);
    const chunk = writer.finish();
    chunks.push(chunk);
    length += chunk.length;
    yield;
  }
  const start = new protobuf.Writer().uint32((number << 3) | 2).uint32(length);
  return [start.finish(), ...chunks];
}
