import { parse } from 'yaml';
import type { Json } from '../../verbs/client.ts';
import { hasMagic, readEnvelope } from '../../verbs/protobuf.ts';
import { readWire } from './wire.ts';

/** The body of an answer as values that can be compared, whatever form it came in. */
export function contentOf(bytes: Buffer, type: string): Json {
  if (bytes.length === 0) return undefined;
  if (hasMagic(bytes)) return protobufOf(bytes);
  const text = bytes.toString('utf8');
  // Published schemas come as JSON that is not always called so.
  if (type.includes('json') || text.startsWith('{"')) return jsonOf(text) ?? { text };
  if (type.includes('yaml')) return yamlOf(text) ?? { text };
  if (text.startsWith('# ')) return { metrics: seriesOf(text) };
  // What takes several lines is for people.
  return { text: text.trim().includes('\n') ? '<lines>' : text.trim() };
}

/** What is counted, of all that is: only of this it is said what it is called and how it is labelled. */
const counted = 'apiserver_admission_webhook_rejection_count';

/** The lines of what is counted, in the order of their labels, which are in that of their names. */
const seriesOf = (text: string): Json =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${counted}{`))
    .map((line) => {
      const [, labels = '', count = ''] = /^\w+{(.*)}\s+(\S+)/.exec(line) ?? [];
      return {
        labels: labels
          .match(/\w+="[^"]*"/g)
          ?.sort()
          .join(),
        count,
      };
    })
    .sort((one, other) => ((one.labels ?? '') < (other.labels ?? '') ? -1 : 1));

/** A number that a double cannot hold is told by its digits. */
const exactly = (_: string, value: Json, context?: { readonly source?: string }): Json =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER && /^-?\d+$/.test(context?.source ?? '')
    ? { digits: context?.source }
    : value;

const longNumber = /\d{16}/;

function jsonOf(text: string): Json {
  try {
    return longNumber.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As older readers do it, to whom a bare `yes` or `1:30` is no text. */
function yamlOf(text: string): Json {
  try {
    return parse(text, { maxAliasCount: 0, version: '1.1' });
  } catch {
    return undefined;
  }
}

function protobufOf(bytes: Buffer): Json {
  try {
    const { apiVersion, kind, raw, contentType, contentEncoding } = readEnvelope(bytes);
    return { apiVersion, kind, contentType, contentEncoding, wire: readWire(raw) ?? raw.toString('hex') };
  } catch {
    return { protobuf: 'cannot be read' };
  }
}

export interface StreamEvent {
  readonly type: string;
  readonly object: Json;
}

/** The events of a watch, in any of its forms. */
export function eventsOf(bytes: Buffer, type: string): readonly StreamEvent[] {
  if (type.includes('protobuf')) return frames(bytes).map(protobufEvent);
  if (type.includes('yaml'))
    return bytes
      .toString('utf8')
      .split(/^---\n/m)
      .filter((part) => part.trim() !== '')
      .map((part) => eventFrom(yamlOf(part)));
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => eventFrom(jsonOf(line)));
}

function eventFrom(value: Json): StreamEvent {
  if (value === null || typeof value !== 'object') return { type: '(no event)', object: value };
  return { type: String(value.type), object: value.object };
}

/** Each begins with its length in four bytes. */
function frames(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    found.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

/** A WatchEvent holds its type in field 1, and in field 2 the object, raw in field 1 of that. */
function protobufEvent(frame: Buffer): StreamEvent {
  try {
    const { raw } = hasMagic(frame) ? readEnvelope(frame) : { raw: frame };
    const [type, object] = watchEventFields(raw);
    return { type, object: contentOf(object, 'protobuf') };
  } catch {
    return { type: '(no event)', object: frame.toString('hex') };
  }
}

function watchEventFields(raw: Buffer): [string, Buffer] {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at < raw.length; ) {
    const number = (raw[at] as number) >>> 3;
    let [length, shift, from] = [0, 0, at + 1];
    for (let more = true; more; from++) {
      const byte = raw[from] as number;
      length += (byte & 0x7f) * 2 ** shift;
      shift += 7;
      more = byte >= 0x80 && shift < 35;
    }
    fields.set(number, raw.subarray(from, from + length));
    at = from + length;
  }
  const holder = fields.get(2) ?? Buffer.alloc(0);
  const object = hasMagic(holder) ? holder : (watchedObject(holder) ?? holder);
  return [fields.get(1)?.toString('utf8') ?? '', object];
}

function watchedObject(holder: Buffer): Buffer | undefined {
  const at = holder.indexOf('k8s\0', 0, 'latin1');
  return at >= 0 ? holder.subarray(at) : undefined;
}
