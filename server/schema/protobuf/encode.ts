import protobuf from 'protobufjs/minimal.js';
import type { Json } from '../../base/kube-object.ts';
import { encodeJson } from '../encode.ts';
import type { FieldPlan, MessagePlan } from './plan.ts';

type Members = { readonly [key: string]: Json };
type Writer = protobuf.Writer;

const varint = 0;
const fixed64 = 1;
const lengthDelimited = 2;

const wireTypes: Readonly<Record<string, number>> = { bool: varint, int32: varint, int64: varint, double: fixed64 };
const tagOf = ({ number, form }: FieldPlan) => (number << 3) | (wireTypes[form] ?? lengthDelimited);

/** Writes the members of an object as the fields of a message. */
export function writeMessage(writer: Writer, value: Members, plan: MessagePlan): Writer {
  for (const field of plan.fields) {
    if (field.name === '') {
      const inner = new protobuf.Writer();
      writeMessage(inner, value, field.message());
      writer.uint32(tagOf(field)).bytes(inner.finish());
      continue;
    }
    const member = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (member === undefined || member === null) continue;
    if (field.map) writeMap(writer, member as Members, field);
    else if (field.repeated) for (const each of member as Json[]) writeField(writer, each, field);
    else writeField(writer, member, field);
  }
  return writer;
}

function writeMap(writer: Writer, value: Members, field: FieldPlan): void {
  for (const key of Object.keys(value)) {
    writer
      .uint32((field.number << 3) | lengthDelimited)
      .fork()
      .uint32(10)
      .string(key);
    writeField(writer, value[key] as Json, { ...field, number: 2 });
    writer.ldelim();
  }
}

function writeField(writer: Writer, value: Json, field: FieldPlan): void {
  writer.uint32(tagOf(field));
  switch (field.form) {
    case 'string':
      writer.string(String(value ?? ''));
      return;
    case 'bool':
      writer.bool(value === true);
      return;
    case 'int32':
    case 'int64':
      writer.int64(typeof value === 'bigint' ? String(value) : Number(value));
      return;
    case 'double':
      writer.double(Number(value));
      return;
    case 'bytes':
      writer.bytes(Buffer.from(String(value ?? ''), 'base64'));
      return;
    default:
      writer.fork();
      writeContent(writer, value, field);
      writer.ldelim();
  }
}

function writeContent(writer: Writer, value: Json, field: FieldPlan): void {
  switch (field.form) {
    case 'time':
    case 'microTime':
      writeTime(writer, String(value));
      return;
    case 'quantity':
      writer.uint32(10).string(String(value));
      return;
    case 'intOrString':
      if (typeof value === 'string') writer.uint32(8).int64(1).uint32(26).string(value);
      else writer.uint32(8).int64(0).uint32(16).int32(Number(value));
      return;
    case 'rawObject':
    case 'rawJson':
    case 'fieldSet':
      writer.uint32(10).bytes(Buffer.from(encodeJson(value)));
      return;
    case 'items':
      for (const each of (value as string[] | null) ?? []) writer.uint32(10).string(each);
      return;
    case 'message':
      if (typeof value === 'object' && value !== null) writeMessage(writer, value as Members, field.message());
      return;
    default:
      writeEither(writer, value, field);
  }
}

function writeTime(writer: Writer, text: string): void {
  const milliseconds = Date.parse(text);
  const [, fraction = ''] = /\.(\d{1,9})/.exec(text) ?? [];
  writer
    .uint32(8)
    .int64(Math.floor(milliseconds / 1000))
    .uint32(16)
    .int32(Number(fraction.padEnd(9, '0')));
}

/** A schema, or what may stand in its place. */
function writeEither(writer: Writer, value: Json, { form, message }: FieldPlan): void {
  const nested = (tag: number, schema: Json) => {
    writer.uint32(tag).fork();
    writeMessage(writer, schema as Members, message());
    writer.ldelim();
  };
  if (form === 'schemaOrBool') {
    writer.uint32(8).bool(value !== false);
    if (typeof value === 'object' && value !== null) nested(18, value);
  } else if (Array.isArray(value)) {
    if (form === 'schemaOrArray') for (const each of value) nested(18, each);
    else for (const each of value) writer.uint32(18).string(String(each));
  } else if (typeof value === 'object' && value !== null) nested(10, value);
}
