import type { KubeObject } from '../base/kube-object.ts';
import { isPinned } from '../base/pinned.ts';
import { encodeJson } from '../schema/encode.ts';
import { decodeJson } from '../schema/json.ts';
import { deepFreeze } from './deep-freeze.ts';
import { RecentValues, type ValueHolder } from './recent-values.ts';
import type { Stored } from './store.ts';

/** An object as the text that `Stored` promises: compact JSON, `kind` then `apiVersion` first. */
function textOf(value: KubeObject): string {
  const [first, second] = Object.keys(value);
  return first === 'kind' && second === 'apiVersion' ? encodeJson(value) : inOrder(value);
}

/** An object as the bytes that `Stored` promises. */
export const encodeObject = (value: KubeObject): Buffer => Buffer.from(textOf(value));

/** The two names first, wherever they stand; keys that are numbers come before all others by themselves. */
function inOrder(value: KubeObject): string {
  const { kind, apiVersion, ...rest } = value;
  const head = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)}`;
  const tail = encodeJson(rest);
  return tail === '{}' ? `${head}}` : `${head},${tail.slice(1)}`;
}

/** With the newline; joined to the text it would have the text copied once more. */
function encodeLine(value: KubeObject): Buffer {
  const text = textOf(value);
  const length = Buffer.byteLength(text);
  const line = Buffer.allocUnsafe(length + 1);
  line.write(text);
  line[length] = newline;
  return line;
}

const newline = 0x0a;

/** As `encodeObject` gave them. */
export function decodeObject(bytes: Buffer): KubeObject {
  const text = bytes.toString();
  return (longNumber.test(text) ? decodeJson(bytes).value : JSON.parse(text)) as KubeObject;
}

/** Digits that a double may not hold, if they are a number and not part of a text. */
const longNumber = /[:,[]-?\d{16}/;

/** Values that are held decoded, of all stores of the process: so much JSON. */
const recent = new RecentValues(8 * 1024 * 1024);
type Labels = Readonly<Record<string, string>>;
const none: Labels = Object.freeze({});

/** Of a value that was not encoded yet. */
const sizeNotKnown = 1024;

/**
 * One version of one object. It is encoded when its bytes are first asked for, and once it was not used for a while
 * the bytes are all that is held: the value is read from them again when somebody wants it.
 */
export class StoredValue implements Stored, ValueHolder {
  readonly key: string;
  readonly revision: number;
  #value: KubeObject | undefined;
  #line: Buffer | undefined;
  #bytes: Buffer | undefined;
  /** Of RecentValues. */
  counted = 0;
  #labels: Labels | undefined;
  #used = false;
  #frozen = false;

  /** `value` must carry the revision already. */
  constructor(key: string, revision: number, value: KubeObject | undefined, line?: Buffer) {
    this.key = key;
    this.revision = revision;
    this.#value = value;
    this.#line = line;
    if (value) recent.add(this, line?.length ?? sizeNotKnown);
  }

  /** From bytes as `Stored` promises them, with the newline. */
  static ofLine(key: string, revision: number, line: Buffer): StoredValue {
    return new StoredValue(key, revision, undefined, line);
  }

  get value(): KubeObject {
    this.#used = true;
    return this.#value ?? this.#read();
  }

  get labels(): Labels {
    return (this.#value ? this.#value.metadata.labels : this.#labels) ?? this.value.metadata.labels ?? none;
  }

  get bytes(): Buffer {
    this.#bytes ??= this.line.subarray(0, -1);
    return this.#bytes;
  }

  get line(): Buffer {
    return this.#line ?? this.#encode();
  }

  /** Whoever has just written it knows the value already, which must say what the bytes say. */
  adopt(value: KubeObject): void {
    if (this.#value) return;
    this.#value = value;
    recent.add(this, this.#line?.length ?? sizeNotKnown);
  }

  letGo(): boolean {
    const value = this.#value;
    if (!value) return true;
    if (this.#used) {
      this.#used = false;
      return false;
    }
    if (isPinned(value)) return true;
    this.#frozen = Object.isFrozen(value);
    this.#line = ownBuffer(this.#line ?? encodeLine(value));
    this.#bytes = undefined;
    this.#labels = value.metadata.labels ?? none;
    this.#value = undefined;
    return true;
  }

  #encode(): Buffer {
    const line = encodeLine(this.#value as KubeObject);
    this.#line = line;
    // It counts for more than it was thought to.
    if (line.length > 2 * this.counted && this.counted > 0) recent.resize(this, line.length);
    return line;
  }

  #read(): KubeObject {
    const line = this.#line as Buffer;
    const value = decodeObject(line);
    if (this.#frozen) deepFreeze(value);
    this.#value = value;
    recent.add(this, line.length);
    return value;
  }
}

/** Small buffers are cut from a common piece of memory, which each of them would keep. */
function ownBuffer(buffer: Buffer): Buffer {
  if (buffer.buffer.byteLength === buffer.length) return buffer;
  const own = Buffer.allocUnsafeSlow(buffer.length);
  buffer.copy(own);
  return own;
}

/** The same state under a newer version, as watchers are told of an object that is gone from their sight. */
export const withRevision = (stored: Stored, revision: number): Stored =>
  new StoredValue(stored.key, revision, {
    ...stored.value,
    metadata: { ...stored.value.metadata, resourceVersion: String(revision) },
  });

/** `{"kind":"`, and `","apiVersion":"` with the quote before it. */
const kindStart = 9;
const betweenNames = 16;
const quote = 0x22;

/**
 * Where the members after `kind` and `apiVersion` begin in `bytes`. A list of a built-in kind shows its items without
 * these two: `{` and then everything from here on. Both are plain names, without quotes in them.
 */
export function itemStart({ line }: Pick<Stored, 'line'>): number {
  let at = kindStart;
  while (line[at] !== quote) at++;
  at += betweenNames;
  while (line[at] !== quote) at++;
  return at + 2;
}

const comma = 0x2c;
const brace = 0x7b;

/** How a list is written around its items. */
export interface ListFrame {
  readonly head: string;
  readonly tail: string;
  /** Leaves out kind and apiVersion of the items. */
  readonly bare: boolean;
}

/** How many bytes the items take with the commas between them, as `joinItems` writes them. */
export function joinedLength(items: readonly Stored[], bare: boolean): number {
  let length = Math.max(0, items.length - 1);
  for (const item of items) length += item.line.length - 1 - (bare ? itemStart(item) - 1 : 0);
  return length;
}

/**
 * The items of a list joined by commas in one buffer, each copied once and none encoded again. `allocate` gives a buffer
 * of at least so many bytes, of which a part may be left over.
 */
export function joinItems(
  items: readonly Stored[],
  { head, tail, bare }: ListFrame,
  allocate: (size: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  let size = Buffer.byteLength(head) + Buffer.byteLength(tail);
  for (const { line } of items) size += line.length + 1;
  const target = allocate(size);
  let at = target.write(head);
  let first = true;
  for (const item of items) {
    if (!first) target[at++] = comma;
    first = false;
    if (bare) target[at++] = brace;
    const { line } = item;
    at += line.copy(target, at, bare ? itemStart(item) : 0, line.length - 1);
  }
  at += target.write(tail, at);
  return target.subarray(0, at);
}
