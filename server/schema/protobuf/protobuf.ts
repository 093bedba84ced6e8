import protobuf from 'protobufjs/minimal.js';
import type { Json } from '../../base/kube-object.ts';
import { parseApiVersion } from '../../base/kube-object.ts';
import { badRequest, notAcceptable } from '../../base/status-error.ts';
import { readMessage } from './decode.ts';
import { writeMessage } from './encode.ts';
import { planOfKind } from './plan.ts';
import { skipField } from './skip.ts';

/** What every protobuf body begins with (rule `content.protobuf.envelope.prefix`). */
const prefix = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/**
 * An object in the protobuf envelope: the prefix, then the message `Unknown` with the kind and the object itself.
 * @throws 406 for a kind that has no message
 */
export function encodeProtobuf(object: unknown): Buffer {
  const value = object as { readonly [key: string]: Json };
  const kind = String(value['kind'] ?? '');
  const apiVersion = String(value['apiVersion'] ?? '');
  const { group, version } = parseApiVersion(apiVersion);
  const plan = planOfKind(group, version, kind);
  if (!plan) throw notAcceptable(['application/json', 'application/yaml']);
  const raw = writeMessage(new protobuf.Writer(), value, plan).finish();
  const writer = new protobuf.Writer();
  writer.uint32(10).fork().uint32(10).string(apiVersion).uint32(18).string(kind).ldelim();
  writer.uint32(18).bytes(raw).uint32(26).string('').uint32(34).string('');
  return Buffer.concat([prefix, writer.finish()]);
}

/** A list in protobuf, to be written item by item. */
export interface ProtobufList {
  /** What stands before the items, which take so many bytes together. */
  head(itemBytes: number): Buffer;
  item(item: object): Uint8Array;
  readonly tail: Buffer;
}

/** The last fields of the envelope: neither an encoding nor a type of the content is named. */
const envelopeEnd = Buffer.from([0x1a, 0x00, 0x22, 0x00]);

/** @param list everything of it but its items @throws 406 for a kind that has no message */
export function protobufList(list: { readonly kind: string; readonly apiVersion: string }): ProtobufList {
  const { kind, apiVersion } = list;
  const { group, version } = parseApiVersion(apiVersion);
  const plan = planOfKind(group, version, kind);
  const items = plan?.fields.find(({ name }) => name === 'items');
  if (!plan || !items) throw notAcceptable(['application/json', 'application/yaml']);
  const members = { ...list } as { [key: string]: Json };
  const own = writeMessage(new protobuf.Writer(), members, plan).finish();
  return {
    head(itemBytes) {
      const writer = new protobuf.Writer();
      writer.uint32(10).fork().uint32(10).string(apiVersion).uint32(18).string(kind).ldelim();
      writer.uint32(18).uint32(own.length + itemBytes);
      return Buffer.concat([prefix, writer.finish(), own]);
    },
    item: (item) =>
      writeMessage(
        new protobuf.Writer().uint32((items.number << 3) | 2).fork(),
        item as { [key: string]: Json },
        items.message(),
      )
        .ldelim()
        .finish(),
    tail: envelopeEnd,
  };
}

interface Envelope {
  apiVersion: string;
  kind: string;
  raw: Uint8Array;
}

/** What a body is where it does not say so itself. */
export interface ExpectedType {
  readonly kind: string;
  readonly apiVersion: string;
}

const untold: ExpectedType = { kind: '', apiVersion: '' };

/**
 * Reads an enveloped object; its kind and version come from the envelope, or are the expected ones where that is silent.
 * @throws 400 for bytes that are no such object
 */
export function decodeProtobuf(body: Uint8Array, expected: ExpectedType = untold): Json {
  try {
    const envelope = readEnvelope(body);
    const kind = envelope.kind || expected.kind;
    const apiVersion = envelope.apiVersion || expected.apiVersion;
    const { group, version } = parseApiVersion(apiVersion);
    const plan = planOfKind(group, version, kind);
    if (!plan) throw new Error(`there is no protobuf message for ${kind} in ${apiVersion}`);
    const { raw } = envelope;
    const reader = protobuf.Reader.create(raw);
    return { ...readMessage(reader, raw.length, plan), kind, apiVersion };
  } catch (error) {
    throw badRequest(`the protobuf body could not be read: ${error instanceof Error ? error.message : error}`);
  }
}

function readEnvelope(body: Uint8Array): Envelope {
  if (body.length < 4 || !prefix.equals(body.subarray(0, 4)))
    throw new Error('it does not begin with the expected prefix');
  if (body.length === prefix.length) throw new Error('nothing follows its prefix');
  const reader = protobuf.Reader.create(body.subarray(4));
  const envelope: Envelope = { apiVersion: '', kind: '', raw: new Uint8Array() };
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === 10) readTypeMeta(reader, envelope);
    else if (tag === 18) envelope.raw = reader.bytes();
    else skipField(reader, tag);
  }
  return envelope;
}

function readTypeMeta(reader: protobuf.Reader, envelope: Envelope): void {
  const end = reader.uint32() + reader.pos;
  if (end > reader.len) throw new Error('a length reaches beyond the end');
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === 10) envelope.apiVersion = reader.string();
    else if (tag === 18) envelope.kind = reader.string();
    else skipField(reader, tag);
  }
}

/** One event of a watch: its length in four bytes, then the message `WatchEvent` around the enveloped object. */
export function protobufEvent(type: string, object: Buffer): Buffer {
  const writer = new protobuf.Writer();
  writer.uint32(10).string(type).uint32(18).fork().uint32(10).bytes(object).ldelim();
  const event = writer.finish();
  const framed = Buffer.allocUnsafe(4 + event.length);
  framed.writeUInt32BE(event.length);
  framed.set(event, 4);
  return framed;
}
