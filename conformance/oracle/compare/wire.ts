import { Reader } from 'protobufjs/minimal.js';
import { isMap, type Json } from '../../verbs/json.ts';

const deepest = 40;

/**
 * Some servers write the empty texts and zeroes of members that are always there, others leave them out: both mean the
 * same. Which one wrote a message shows in its first member, the metadata.
 */
export function saysEmpty(wire: Json): boolean {
  const [first] = wire?.[1] ?? [];
  return isMap(first) && Object.values<Json>(first).some(([one]) => one === '');
}

/** A tree without what is empty; undefined where nothing is left. */
export function withoutEmpty(value: Json): Json {
  if (value === '' || value === '#0') return undefined;
  if (Array.isArray(value)) {
    const left = value.map(withoutEmpty).filter((item) => item !== undefined);
    return left.length > 0 ? left : undefined;
  }
  if (!isMap(value) || '$seconds' in value) return value;
  const left = Object.entries<Json>(value)
    .map(([name, item]) => [name, withoutEmpty(item)] as const)
    .filter(([, item]) => item !== undefined);
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

/** Whether it may be an entry of a map, which come in any order: a key in field 1, a value in field 2. */
export const isMapEntry = (value: Json): boolean =>
  isMap(value) &&
  typeof value[1]?.[0] === 'string' &&
  Object.entries<Json>(value).every(([name, items]) => (name === '1' || name === '2') && items?.length === 1);

/** Bytes that no text holds: control characters but for tabs and line ends, and what is no UTF-8. */
function isNoText(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code < 0x20 && code !== 0x09 && code !== 0x0a) || code === 0xfffd) return true;
  }
  return false;
}

/**
 * A protobuf message as a tree of field numbers, without knowing its schema: two servers that mean the same answer the
 * same tree. What may be a text or a message counts as a message when it can be read as one and holds bytes that no
 * text holds.
 */
export function readWire(bytes: Uint8Array): Json | undefined {
  return readMessage(bytes, 0);
}

function readMessage(bytes: Uint8Array, depth: number): Json | undefined {
  if (depth > deepest) return undefined;
  const reader = Reader.create(bytes);
  const fields: Record<string, Json[]> = {};
  try {
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      const number = tag >>> 3;
      if (number === 0 || number > 5000) return undefined;
      const value = readValue(reader, tag & 7, depth);
      if (value === undefined) return undefined;
      fields[number] = [...(fields[number] ?? []), value];
    }
  } catch {
    return undefined;
  }
  return fields;
}

function readValue(reader: Reader, wireType: number, depth: number): Json | undefined {
  // Marked, so that no text is taken for a number.
  if (wireType === 0) return `#${reader.uint64()}`;
  if (wireType === 1) return `double ${reader.double()}`;
  if (wireType === 5) return `float ${reader.float()}`;
  return wireType === 2 ? readBytes(reader.bytes(), depth) : undefined;
}

function readBytes(bytes: Uint8Array, depth: number): Json {
  const text = Buffer.from(bytes).toString('utf8');
  if (bytes.length === 0 || !mayBeMessage(bytes, text)) return text;
  return readMessage(bytes, depth + 1) ?? (isNoText(text) ? Buffer.from(bytes).toString('hex') : text);
}

/** Messages begin with the tag of a low field, which is no letter or digit. */
const mayBeMessage = (bytes: Uint8Array, text: string): boolean => isNoText(text) || (bytes[0] as number) < 0x20;
