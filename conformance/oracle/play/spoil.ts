import { Reader, Writer } from 'protobufjs/minimal.js';
import { fieldOf, hasMagic, readEnvelope, writeEnvelope } from '../../verbs/protobuf.ts';

/** One field of a message: its content is without its length. */
interface Part {
  readonly number: number;
  readonly wire: number;
  readonly content: Buffer;
}

/** A number in as many bytes as it takes, or in one more. */
function varint(value: number, isLonger = false): Buffer {
  const bytes = Buffer.from(Writer.create().uint32(value).finish());
  if (!isLonger) return bytes;
  const padded = Buffer.from([...bytes, 0]);
  padded[bytes.length - 1] = (bytes.at(-1) as number) | 0x80;
  return padded;
}

const tagOf = ({ number, wire }: Part): number => ((number << 3) | wire) >>> 0;

/** @param length what it says that its content takes */
const written = (part: Part, tag = varint(tagOf(part)), length = part.content.length): Buffer =>
  Buffer.concat([tag, ...(part.wire === 2 ? [varint(length)] : []), part.content]);

/** The fields of a message, in order; undefined where the bytes are none. */
function partsOf(bytes: Uint8Array): readonly Part[] | undefined {
  const reader = Reader.create(bytes);
  const parts: Part[] = [];
  try {
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      const [number, wire, start] = [tag >>> 3, tag & 7, reader.pos];
      if (number === 0 || wire === 3 || wire === 4) return undefined;
      if (wire === 2) parts.push({ number, wire, content: Buffer.from(reader.bytes()) });
      else {
        reader.skipType(wire);
        parts.push({ number, wire, content: Buffer.from(bytes.subarray(start, reader.pos)) });
      }
    }
  } catch {
    return undefined;
  }
  return parts;
}

/** What is a field of low number in the first place may be a message; a text begins with a letter. */
const within = ({ wire, content }: Part): readonly Part[] | undefined =>
  wire === 2 && content.length > 1 && (content[0] as number) < 0x30 ? partsOf(content) : undefined;

/** A message with the field at that place changed: each is counted before those within it. */
function changedAt(parts: readonly Part[], place: { left: number }, change: (part: Part) => Buffer): Buffer {
  const told = parts.map((part) => {
    if (place.left-- === 0) return change(part);
    const inner = place.left < 0 ? undefined : within(part);
    return written(inner ? { ...part, content: changedAt(inner, place, change) } : part);
  });
  return Buffer.concat(told);
}

/** What becomes of one field, wherever it stands; lengths around it fit all the same. */
const ofField = {
  gone: () => Buffer.alloc(0),
  twice: (part) => Buffer.concat([written(part), written(part)]),
  emptied: (part) => written(part.wire === 2 ? { ...part, content: Buffer.alloc(0) } : part),
  'of another sort': (part) => written({ ...part, wire: part.wire === 2 ? 0 : 2 }),
  'one too long': (part) => written(part, varint(tagOf(part)), part.content.length + 1),
  'one too short': (part) => written(part, varint(tagOf(part)), Math.max(0, part.content.length - 1)),
  'with a long tag': (part) => written(part, varint(tagOf(part), true)),
  'full of ones': (part) => written({ ...part, content: Buffer.alloc(part.wire === 2 ? 3 : 1, 0x7f) }),
  'of no text': (part) => written(part.wire === 2 ? { ...part, content: Buffer.from([0x61, 0xff, 0xc3]) } : part),
  'as large as can be': (part) =>
    written(part.wire === 0 ? { ...part, content: Buffer.from([...Array(9).fill(0xff), 0x01]) } : part),
} as const satisfies Readonly<Record<string, (part: Part) => Buffer>>;

const later = 15_000;

const unknown = (wire: number, ...content: readonly number[]): Buffer =>
  Buffer.from([...varint(((later << 3) | wire) >>> 0), ...content]);

const appended =
  (more: Buffer) =>
  (raw: Buffer): Buffer =>
    Buffer.concat([raw, more]);

/** What becomes of a whole message. */
const ofMessage = {
  'none of it': () => Buffer.alloc(0),
  'half of it': (raw) => raw.subarray(0, raw.length >> 1),
  'all but a byte': (raw) => raw.subarray(0, -1),
  'unknown number': appended(unknown(0, 7)),
  'unknown double': appended(unknown(1, ...Array(8).fill(1))),
  'unknown text': appended(unknown(2, 1, 0x61)),
  'unknown float': appended(unknown(5, ...Array(4).fill(1))),
  'unknown group': appended(Buffer.concat([unknown(3), unknown(4)])),
  'group that does not end': appended(unknown(3)),
  'field of no sort': appended(unknown(7)),
  'field zero': appended(Buffer.from([2, 0])),
  'endless number': appended(Buffer.from([...unknown(0), ...Array(12).fill(0xff)])),
} as const satisfies Readonly<Record<string, (raw: Buffer) => Buffer>>;

type OfEnvelope = (bytes: Buffer, envelope: { apiVersion: string; kind: string; raw: Buffer }) => Buffer;

/** What becomes of the envelope around it. */
const ofEnvelope = {
  'first bytes alone': (bytes) => bytes.subarray(0, 4),
  'other first bytes': (bytes) => Buffer.concat([Buffer.from('k8x\0'), bytes.subarray(4)]),
  'no envelope': (_, { raw }) => raw,
  'no kind': (_, envelope) => writeEnvelope({ ...envelope, kind: '' }),
  'no version': (_, envelope) => writeEnvelope({ ...envelope, apiVersion: '' }),
  'another kind': (_, envelope) => writeEnvelope({ ...envelope, kind: 'Nothing' }),
  'another version': (_, envelope) => writeEnvelope({ ...envelope, apiVersion: 'none.example.com/v1' }),
  'an encoding': (_, envelope) => writeEnvelope({ ...envelope, contentEncoding: 'gzip' }),
  'a type of content': (_, envelope) => writeEnvelope({ ...envelope, contentType: 'application/json' }),
  'something behind it': (bytes) => Buffer.concat([bytes, fieldOf(9, 'more')]),
  'half of it all': (bytes) => bytes.subarray(0, bytes.length >> 1),
  'two contents': (bytes, { raw }) => Buffer.concat([bytes, fieldOf(2, raw.subarray(0, raw.length >> 1))]),
} as const satisfies Readonly<Record<string, OfEnvelope>>;

/** How protobuf is spoilt: one field of it, counted from 0 as they stand, or all of it. */
export type Spoiling =
  | { readonly field: number; readonly becomes: keyof typeof ofField }
  | { readonly becomes: keyof typeof ofMessage | keyof typeof ofEnvelope };

export const fieldSpoilings = Object.keys(ofField) as readonly (keyof typeof ofField)[];
export const wholeSpoilings = [...Object.keys(ofMessage), ...Object.keys(ofEnvelope)] as readonly (
  | keyof typeof ofMessage
  | keyof typeof ofEnvelope
)[];

/** Bytes that are no object in protobuf, or spoilt in a way that nobody knows, stay as they are. */
export function spoilt(bytes: Buffer, spoiling: Spoiling): Buffer {
  if (!hasMagic(bytes)) return bytes;
  const envelope = readEnvelope(bytes);
  const { apiVersion, kind, raw } = envelope;
  const around = (content: Buffer): Buffer => writeEnvelope({ apiVersion, kind, raw: content });
  if ('field' in spoiling) {
    const parts = partsOf(raw);
    return parts ? around(changedAt(parts, { left: spoiling.field }, ofField[spoiling.becomes])) : bytes;
  }
  const { becomes } = spoiling;
  if (becomes in ofMessage) return around(ofMessage[becomes as keyof typeof ofMessage](raw));
  return ofEnvelope[becomes as keyof typeof ofEnvelope]?.(bytes, envelope) ?? bytes;
}
