import { Reader, Writer } from 'protobufjs/minimal.js';

export const protobufType = 'application/vnd.kubernetes.protobuf';

const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** The envelope of a protobuf body; what it holds is not read. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
  readonly contentEncoding: string;
  readonly contentType: string;
}

export const hasMagic = (bytes: Buffer): boolean => bytes.subarray(0, 4).equals(magic);

/** Reads an envelope. Throws when the bytes are none. */
export function readEnvelope(bytes: Buffer): Envelope {
  if (!hasMagic(bytes)) throw new TypeError('the body does not begin with the four bytes of protobuf');
  const reader = Reader.create(bytes.subarray(4));
  const found = { apiVersion: '', kind: '', raw: Buffer.alloc(0), contentEncoding: '', contentType: '' };
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) Object.assign(found, readTypeMeta(reader.bytes()));
    else if (tag >>> 3 === 2) found.raw = Buffer.from(reader.bytes());
    else if (tag >>> 3 === 3) found.contentEncoding = reader.string();
    else if (tag >>> 3 === 4) found.contentType = reader.string();
    else reader.skipType(tag & 7);
  }
  return found;
}

function readTypeMeta(bytes: Uint8Array): { apiVersion: string; kind: string } {
  const reader = Reader.create(bytes);
  const found = { apiVersion: '', kind: '' };
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) found.apiVersion = reader.string();
    else if (tag >>> 3 === 2) found.kind = reader.string();
    else reader.skipType(tag & 7);
  }
  return found;
}

/** Writes an envelope around `raw`; an absent `contentType` or `contentEncoding` is left unset. */
export function writeEnvelope(envelope: Pick<Envelope, 'apiVersion' | 'kind' | 'raw'> & Partial<Envelope>): Buffer {
  const typeMeta = Writer.create().uint32(10).string(envelope.apiVersion).uint32(18).string(envelope.kind).finish();
  const writer = Writer.create().uint32(10).bytes(typeMeta).uint32(18).bytes(envelope.raw);
  if (envelope.contentEncoding !== undefined) writer.uint32(26).string(envelope.contentEncoding);
  if (envelope.contentType !== undefined) writer.uint32(34).string(envelope.contentType);
  return Buffer.concat([magic, writer.finish()]);
}

/** The bytes of a ConfigMap with this name and these data: metadata is field 1, its name field 1; data is field 2. */
export function configMapBytes(name: string, data: Readonly<Record<string, string>>): Buffer {
  const metadata = Writer.create().uint32(10).string(name).finish();
  const writer = Writer.create().uint32(10).bytes(metadata);
  for (const [key, value] of Object.entries(data)) {
    writer.uint32(18).bytes(Writer.create().uint32(10).string(key).uint32(18).string(value).finish());
  }
  return Buffer.from(writer.finish());
}

/** What the metadata of a serialized object tell: in every built-in kind they are field 1. */
export interface RawMetadata {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

type Field = readonly [number, Uint8Array];

/** The fields of a message that are texts or messages, in order. Throws when the bytes are no message. */
export function fieldsOf(bytes: Uint8Array): Field[] {
  const reader = Reader.create(bytes);
  const fields: Field[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if ((tag & 7) === 2) fields.push([tag >>> 3, reader.bytes()]);
    else reader.skipType(tag & 7);
  }
  return fields;
}

export function metadataOf(raw: Uint8Array): RawMetadata {
  const metadata = fieldsOf(fieldsOf(raw).find(([number]) => number === 1)?.[1] ?? Buffer.alloc(0));
  const text = (wanted: number): string =>
    Buffer.from(metadata.find(([number]) => number === wanted)?.[1] ?? []).toString('utf8');
  return { name: text(1), uid: text(5), resourceVersion: text(6) };
}

/** The serialized items of a list. */
export const itemsOf = (raw: Uint8Array): Uint8Array[] =>
  fieldsOf(raw).flatMap(([number, bytes]) => (number === 2 ? [bytes] : []));

/** Of metadata: namespace, labels, annotations, owners and finalizers. */
const lastingFields = [3, 11, 12, 13, 14];

/** An object's bytes as one would send them to make another of another name: all but its metadata is kept bit by bit. */
export function renamed(raw: Uint8Array, name: string): Buffer {
  const reader = Reader.create(raw);
  const parts: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const tag = reader.uint32();
    if (tag === 10) parts.push(Writer.create().uint32(10).bytes(renamedMetadata(reader.bytes(), name)).finish());
    else {
      reader.skipType(tag & 7);
      parts.push(raw.subarray(start, reader.pos));
    }
  }
  return Buffer.concat(parts);
}

function renamedMetadata(bytes: Uint8Array, name: string): Uint8Array {
  const writer = Writer.create().uint32(10).string(name);
  for (const [number, value] of fieldsOf(bytes))
    if (lastingFields.includes(number)) writer.uint32((number << 3) | 2).bytes(value);
  return writer.finish();
}

/** The envelopes in a watch's stream, each behind its length in four bytes. Throws when the bytes are cut off. */
export function framesOf(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new TypeError('the stream ends within a frame');
    frames.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return frames;
}

/** An event of a watch in protobuf. */
export interface ToldEvent {
  readonly type: string;
  /** What it happened to. */
  readonly object: Envelope;
}

/** The events of a stream: each has its type in field 1, and in field 2 a message with the bytes of the object. */
export const eventsOf = (bytes: Buffer): ToldEvent[] =>
  framesOf(bytes).map((frame) => {
    const fields = fieldsOf(frame);
    const part = (wanted: number): Uint8Array => fields.find(([number]) => number === wanted)?.[1] ?? Buffer.alloc(0);
    const [, object] = fieldsOf(part(2))[0] ?? [];
    return { type: Buffer.from(part(1)).toString('utf8'), object: readEnvelope(Buffer.from(object ?? [])) };
  });

/** A message without its numbers and booleans that are zero, as one who does not tell them from missing ones reads it. */
export function withoutZeros(bytes: Uint8Array): Buffer {
  const reader = Reader.create(bytes);
  const parts: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const tag = reader.uint32();
    const zero = (tag & 7) === 0 && reader.uint64().toString() === '0';
    if ((tag & 7) !== 0) reader.skipType(tag & 7);
    if (!zero) parts.push(bytes.subarray(start, reader.pos));
  }
  return Buffer.concat(parts);
}

/** A field of a message that holds a text, bytes or another message; of nothing, one that says nothing. */
export const fieldOf = (number: number, content: string | Uint8Array = ''): Buffer =>
  Buffer.from(
    Writer.create()
      .uint32((number << 3) | 2)
      .bytes(Buffer.from(content))
      .finish(),
  );

/** Fields that no version of any message has so far: a reader passes over what it does not know. */
export const laterFields: Buffer = Buffer.concat([
  fieldOf(15_000, 'later'),
  Writer.create()
    .uint32((15_001 << 3) | 0)
    .int32(7)
    .finish(),
]);

/** What begins a field: its number, and how what follows is laid out. */
const begin = (number: number, layout: number): Writer => Writer.create().uint32((number << 3) | layout);

const group = (number: number, ...within: readonly Uint8Array[]): Buffer =>
  Buffer.concat([begin(number, 3).finish(), ...within, begin(number, 4).finish()]);

/** As these, of fixed width, and groups within a group. */
export const laterLayouts: Buffer = Buffer.concat([
  begin(15_002, 1).fixed64(7).finish(),
  begin(15_003, 5).fixed32(7).finish(),
  group(15_004, group(15_005, begin(15_006, 0).int32(7).finish()), fieldOf(15_007, 'within')),
]);
