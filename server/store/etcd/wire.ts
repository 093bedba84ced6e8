/** Encoding and decoding of protobuf messages, as far as etcd's need it: by a table of fields, numbers below 2^53. */

type Scalar = 'bytes' | 'string' | 'number' | 'boolean';

interface Field {
  readonly name: string;
  readonly type: Scalar | Message<object>;
  readonly repeated: boolean;
}

/** `[number, type]`, or `[number, type, 'repeated']`. */
type FieldSpec = readonly [number: number, type: Scalar | Message<object>, repeated?: 'repeated'];

/** A kind of message: its fields by number. What is missing in a message that is read is missing in the object. */
export class Message<T extends object> {
  readonly #fields = new Map<number, Field>();
  readonly #numbers = new Map<string, number>();

  constructor(fields: { readonly [K in keyof Required<T>]: FieldSpec }) {
    for (const [name, [number, type, repeated]] of Object.entries(fields) as [string, FieldSpec][]) {
      this.#fields.set(number, { name, type, repeated: repeated !== undefined });
      this.#numbers.set(name, number);
    }
  }

  encode(value: T): Buffer {
    const parts: Buffer[] = [];
    const length = this.put(parts, value);
    return Buffer.concat(parts, length);
  }

  /** Adds a message to the parts of a larger one. @returns how many bytes it takes */
  put(parts: Buffer[], value: T): number {
    let length = 0;
    for (const name in value) {
      const each = value[name];
      const number = this.#numbers.get(name);
      const field = number === undefined ? undefined : this.#fields.get(number);
      if (number === undefined || !field || each === undefined) continue;
      if (field.repeated) for (const item of each as unknown[]) length += putField(parts, number, field.type, item);
      else length += putField(parts, number, field.type, each);
    }
    return length;
  }

  /** @throws Error for bytes that are no such message */
  decode(bytes: Buffer): Partial<T> {
    const value: Record<string, unknown> = {};
    const reader = new Reader(bytes);
    while (!reader.done) {
      const tag = reader.number();
      const field = this.#fields.get(Math.floor(tag / 8));
      if (!field) {
        reader.skip(tag & 7);
        continue;
      }
      const item = readValue(reader, field.type);
      if (!field.repeated) value[field.name] = item;
      else if (value[field.name]) (value[field.name] as unknown[]).push(item);
      else value[field.name] = [item];
    }
    return value as Partial<T>;
  }
}

/** @returns how many bytes it takes */
function putField(parts: Buffer[], number: number, type: Field['type'], value: unknown): number {
  if (type === 'number' || type === 'boolean')
    return put(parts, varint(number * 8)) + put(parts, varint(Number(value)));
  const tagged = put(parts, varint(number * 8 + 2));
  if (type instanceof Message) {
    // Its length comes before it, and is known after it.
    const at = parts.push(nothing) - 1;
    const length = type.put(parts, value as object);
    const prefix = varint(length);
    parts[at] = prefix;
    return tagged + prefix.length + length;
  }
  const content = type === 'bytes' ? (value as Buffer) : Buffer.from(value as string);
  return tagged + put(parts, varint(content.length)) + put(parts, content);
}

const nothing = Buffer.alloc(0);

function put(parts: Buffer[], part: Buffer): number {
  parts.push(part);
  return part.length;
}

function readValue(reader: Reader, type: Field['type']): unknown {
  if (type === 'number') return reader.number();
  if (type === 'boolean') return reader.number() !== 0;
  const bytes = reader.bytes();
  if (type === 'bytes') return bytes;
  return type === 'string' ? bytes.toString() : type.decode(bytes);
}

/** Of a whole number from 0 to 2^53. */
function varint(value: number): Buffer {
  if (value < 0x80) return oneByte[value] as Buffer;
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return Buffer.from(bytes);
}

const oneByte: readonly Buffer[] = Array.from({ length: 0x80 }, (_, value) => Buffer.from([value]));

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Negative ones come out wrong; etcd has none in what is read here but -1 of watch ids, which nobody looks at. */
  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new Error('a message ends too soon');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  bytes(): Buffer {
    const length = this.number();
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Error('a message ends too soon');
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  skip(wireType: number): void {
    if (wireType === 0) this.number();
    else if (wireType === 2) this.bytes();
    else if (wireType === 1) this.#at += 8;
    else if (wireType === 5) this.#at += 4;
    else throw new Error(`a message has a field of wire type ${wireType}`);
  }
}
