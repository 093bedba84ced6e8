import type protobuf from 'protobufjs/minimal.js';
import { putMember } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import { decodeJson } from '../json.ts';
import type { FieldPlan, MessagePlan } from './plan.ts';
import { ProtobufMistake, skipField } from './skip.ts';

type Members = { [key: string]: Json };
type Reader = protobuf.Reader;

const varint = 0;
const fixed64 = 1;
const lengthDelimited = 2;

/** Messages nested deeper than this are refused. */
const deepest = 500;

const wireTypes: Readonly<Record<string, number>> = { bool: varint, int32: varint, int64: varint, double: fixed64 };

/** Messages that one body may hold; an empty one takes two bytes here, and much more later. */
const mostMessages = 100_000;

/** Reads a message into the members that it has in JSON. @throws ProtobufMistake, RangeError when the bytes end too early */
export function readMessage(reader: Reader, end: number, plan: MessagePlan, into: Members = {}, depth = 0): Members {
  if (depth > deepest) throw new ProtobufMistake('messages are nested too deep');
  countMessage(reader);
  while (reader.pos < end) {
    const tag = reader.uint32();
    const wire = tag & 7;
    const field = plan.byNumber.get(tag >>> 3);
    if (!field) skipField(reader, tag);
    else readInto(into, reader, field, wire, depth);
  }
  if (reader.pos !== end) throw new ProtobufMistake('a message ends beyond its length');
  return into;
}

const messages = new WeakMap<Reader, number>();

function countMessage(reader: Reader): void {
  const count = (messages.get(reader) ?? 0) + 1;
  if (count > mostMessages) throw new ProtobufMistake(`the body holds more than ${mostMessages} messages`);
  messages.set(reader, count);
}

function readInto(into: Members, reader: Reader, field: FieldPlan, wire: number, depth: number): void {
  const wanted = field.map ? lengthDelimited : (wireTypes[field.form] ?? lengthDelimited);
  if (field.repeated && wire === lengthDelimited && wanted !== lengthDelimited) {
    readPacked(into, reader, field, depth);
    return;
  }
  if (wire !== wanted) throw new ProtobufMistake(`field ${field.number} has wire type ${wire}`);
  if (field.name === '') {
    readMessage(reader, endOf(reader), field.message(), into, depth + 1);
    return;
  }
  if (field.map) {
    readEntry(memberObject(into, field.name), reader, field, depth);
    return;
  }
  // What comes in several parts is put together.
  if (field.form === 'message' && !field.repeated) {
    readMessage(reader, endOf(reader), field.message(), memberObject(into, field.name), depth + 1);
    return;
  }
  const value = readValue(reader, field, depth);
  if (field.repeated) listAt(into, field.name).push(value);
  else putMember(into, field.name, value);
}

function readPacked(into: Members, reader: Reader, field: FieldPlan, depth: number): void {
  const end = endOf(reader);
  const list = listAt(into, field.name);
  while (reader.pos < end) list.push(readValue(reader, field, depth));
}

function listAt(into: Members, name: string): Json[] {
  const known = Object.hasOwn(into, name) ? into[name] : undefined;
  if (Array.isArray(known)) return known;
  const list: Json[] = [];
  putMember(into, name, list);
  return list;
}

function memberObject(into: Members, name: string): Members {
  const known = Object.hasOwn(into, name) ? into[name] : undefined;
  if (typeof known === 'object' && known !== null && !Array.isArray(known)) return known;
  const object: Members = {};
  putMember(into, name, object);
  return object;
}

/** The end of the value whose length comes next. */
function endOf(reader: Reader): number {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new ProtobufMistake('a length reaches beyond the end');
  return end;
}

function readEntry(into: Members, reader: Reader, field: FieldPlan, depth: number): void {
  const end = endOf(reader);
  let key = '';
  let value: Json = field.form === 'message' ? {} : '';
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 10) key = reader.string();
    else if (tag >>> 3 === 2) value = readValue(reader, field, depth);
    else skipField(reader, tag);
  }
  putMember(into, key, value);
}

function readValue(reader: Reader, field: FieldPlan, depth: number): Json {
  switch (field.form) {
    case 'string':
      return reader.string();
    case 'bool':
      return reader.bool();
    case 'int32':
      return reader.int32();
    case 'int64':
      return wholeNumber(reader);
    case 'double':
      return reader.double();
    case 'bytes':
      return Buffer.from(reader.bytes()).toString('base64');
    default: {
      const end = endOf(reader);
      const value = readContent(reader, end, field, depth + 1);
      if (reader.pos !== end) throw new ProtobufMistake('a message ends beyond its length');
      return value;
    }
  }
}

/** What a double cannot hold keeps its digits. */
function wholeNumber(reader: Reader): Json {
  const read = reader.int64();
  const number = Number(read);
  return Number.isSafeInteger(number) ? number : BigInt(String(read));
}

function readContent(reader: Reader, end: number, field: FieldPlan, depth: number): Json {
  switch (field.form) {
    case 'time':
      return readTime(reader, end, false);
    case 'microTime':
      return readTime(reader, end, true);
    case 'rawObject':
    case 'rawJson':
      return parsed(readRaw(reader, end));
    case 'fieldSet':
      return fieldSet(readRaw(reader, end));
    case 'quantity':
      return String(fieldsOf(reader, end).get(1) ?? '0');
    case 'intOrString': {
      const parts = fieldsOf(reader, end);
      return parts.get(1) === 1 ? String(parts.get(3) ?? '') : Number(parts.get(2) ?? 0);
    }
    case 'items':
      return readItems(reader, end);
    case 'message':
      return readMessage(reader, end, field.message(), {}, depth);
    default:
      return readEither(reader, end, field, depth);
  }
}

/** The few small fields of a message, by number: numbers and texts. */
function fieldsOf(reader: Reader, end: number): Map<number, string | number> {
  const found = new Map<number, string | number>();
  while (reader.pos < end) {
    const tag = reader.uint32();
    const wire = tag & 7;
    if (wire === varint) found.set(tag >>> 3, Number(reader.int64()));
    else if (wire === lengthDelimited) found.set(tag >>> 3, reader.string());
    else skipField(reader, tag);
  }
  return found;
}

/** An empty time is none. */
function readTime(reader: Reader, end: number, micro: boolean): Json {
  const parts = fieldsOf(reader, end);
  if (parts.size === 0) return null;
  const seconds = Number(parts.get(1) ?? 0);
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) throw new ProtobufMistake('a time is out of range');
  const whole = date.toISOString().slice(0, 19);
  if (!micro) return `${whole}Z`;
  const fraction = String(Math.trunc(Number(parts.get(2) ?? 0) / 1000)).padStart(6, '0');
  return `${whole}.${fraction}Z`;
}

function readRaw(reader: Reader, end: number): Uint8Array {
  let raw: Uint8Array = new Uint8Array();
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 10) raw = reader.bytes();
    else skipField(reader, tag);
  }
  return raw;
}

const parsed = (raw: Uint8Array): Json => (raw.length > 0 ? decodeJson(raw).value : null);

/** What is no JSON is kept as text, which is no set of fields either: it is told apart where sets are read. */
function fieldSet(raw: Uint8Array): Json {
  try {
    return parsed(raw);
  } catch {
    return Buffer.from(raw).toString();
  }
}

function readItems(reader: Reader, end: number): Json[] {
  const items: Json[] = [];
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 10) items.push(reader.string());
    else skipField(reader, tag);
  }
  return items;
}

function readEither(reader: Reader, end: number, { form, message }: FieldPlan, depth: number): Json {
  let schema: Json | undefined;
  let allows = false;
  const list: Json[] = [];
  const schemaTag = form === 'schemaOrBool' ? 18 : 10;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === schemaTag) schema = readMessage(reader, endOf(reader), message(), {}, depth);
    else if (tag === 18 && form === 'schemaOrArray')
      list.push(readMessage(reader, endOf(reader), message(), {}, depth));
    else if (tag === 18) list.push(reader.string());
    else if (tag === 8 && form === 'schemaOrBool') allows = reader.bool();
    else skipField(reader, tag);
  }
  if (schema !== undefined) return schema;
  return form === 'schemaOrBool' ? allows : list;
}
