import { isAscii } from 'node:buffer';
import type { KubeObject } from '../base/kube-object.ts';
import { pinned } from '../base/pinned.ts';
import { encodeJson } from '../schema/encode.ts';
import { decodeJson } from '../schema/json.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { Stored } from './store.ts';

/** An object as the bytes that `Stored` promises: compact JSON, `kind` then `apiVersion` first. */
export const encodeObject = (value: KubeObject): Buffer => Buffer.from(encodeText(value));

/** The two names first, wherever they stand; keys that are numbers come before all others by themselves. */
function inOrder(value: KubeObject): string {
  const { kind, apiVersion, ...rest } = value;
  const head = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)}`;
  const tail = encodeJson(rest);
  return tail === '{}' ? `${head}}` : `${head},${tail.slice(1)}`;
}

function encodeText(value: KubeObject): string {
  const [first, second] = Object.keys(value);
  return first === 'kind' && second === 'apiVersion' ? encodeJson(value) : inOrder(value);
}

/** What is longer is held as bytes, outside of the engine's heap, which has a limit of its own. */
const longestText = 16 * 1024;

/** Whether an object of such bytes is held as text. */
export const canBeText = (bytes: Buffer): boolean => bytes.length <= longestText && isAscii(bytes);

const newline = 0x0a;

/** As `encodeObject` gave them. */
export const decodeObject = (bytes: Buffer): KubeObject => decodeText(bytes.toString());

const decodeText = (text: string): KubeObject =>
  (longNumber.test(text) ? decodeJson(Buffer.from(text)).value : JSON.parse(text)) as KubeObject;

/** Digits that a double may not hold, if they are a number and not part of a text. */
const longNumber = /[:,[]-?\d{16}/;

/** Somebody that holds a decoded value which it can make anew. The rest of it is kept by RecentValues. */
interface ValueHolder {
  /** What it counts for. */
  counted: number;
  /** Its neighbours in the ring; itself outside of it. */
  older: ValueHolder;
  newer: ValueHolder;
  /** Lets go of the value. @returns false when it was used since it was last asked, and stays for now */
  letGo(): boolean;
}

/**
 * Bounds how many values are held decoded beside their bytes: what was not used for longest is let go. The holders form
 * a ring, in which a hand goes round: whoever it points to is asked, and stays for one more round where it was used
 * meanwhile. Nothing is left here of one that goes early.
 */
class RecentValues {
  #limit: number;
  #size = 0;
  /** Whoever is asked next. */
  #hand: ValueHolder | undefined;

  /** @param limit bytes of JSON of all values together */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What is held already goes as more comes. */
  limitTo(bytes: number): void {
    this.#limit = bytes;
  }

  /** @param size bytes of its JSON, at least about */
  add(holder: ValueHolder, size: number): void {
    const hand = this.#hand;
    if (hand) {
      holder.older = hand.older;
      holder.newer = hand;
      hand.older.newer = holder;
      hand.older = holder;
    } else this.#hand = holder;
    holder.counted = size;
    this.#size += size;
    if (this.#size > this.#limit) this.#shrink();
  }

  /** Its size is known now. */
  resize(holder: ValueHolder, size: number): void {
    this.#size += size - holder.counted;
    holder.counted = size;
    if (this.#size > this.#limit) this.#shrink();
  }

  /** It holds no value any more, or one that counts for nothing. */
  remove(holder: ValueHolder): void {
    const { older, newer } = holder;
    if (this.#hand === holder) this.#hand = newer === holder ? undefined : newer;
    older.newer = newer;
    newer.older = older;
    holder.older = holder;
    holder.newer = holder;
    this.#size -= holder.counted;
    holder.counted = 0;
  }

  /** What is used all the time could go round for ever: a few are asked. */
  #shrink(): void {
    for (let asked = 0; this.#hand && this.#size > this.#limit && asked < 4; asked++) {
      const holder = this.#hand;
      // It may come to count for more on its way out, for which others go, and itself.
      if (holder.letGo()) this.remove(holder);
      else if (this.#hand === holder) this.#hand = holder.newer;
    }
  }
}

/** Values that are held decoded, of all stores of the process: so much JSON. */
const recent = new RecentValues(8 * 1024 * 1024);

/** For who would rather have a value decoded once more than hold it: it takes several times what its JSON does. */
export const limitDecoded = (bytes: number): void => recent.limitTo(bytes);

type Labels = Readonly<Record<string, string>>;
const none: Labels = Object.freeze({});

/** Of a value that was not encoded yet. */
const sizeNotKnown = 1024;

/**
 * One version of one object. It is encoded when that is first asked for, and once it was not used for a while this is
 * all that is held: the value is read from it again when somebody wants it. It is held as text until somebody needs
 * bytes, which an answer does not: memory of its own costs each as much as encoding it.
 */
export class StoredValue implements Stored, ValueHolder {
  readonly key: string;
  readonly revision: number;
  #value: KubeObject | undefined;
  #text: string | undefined;
  #line: Buffer | undefined;
  #bytes: Buffer | undefined;
  counted = 0;
  older: ValueHolder = this;
  newer: ValueHolder = this;
  #labels: Labels | undefined;
  #used = false;
  #frozen = false;

  /** `value` must carry the revision already, and `line` have its memory for itself. */
  constructor(key: string, revision: number, value: KubeObject | undefined, line?: Buffer) {
    this.key = key;
    this.revision = revision;
    this.#value = value;
    this.#line = line;
    if (!value) return;
    // Selectors look at those of many: from one to the next it is a long way through the values.
    this.#labels = value.metadata.labels ?? none;
    recent.add(this, line?.length ?? sizeNotKnown);
  }

  /** From bytes as `Stored` promises them, with the newline. */
  static ofLine(key: string, revision: number, line: Buffer): StoredValue {
    return new StoredValue(key, revision, undefined, ownBuffer(line));
  }

  /** From text that `canBeText`, without the newline. */
  static ofText(key: string, revision: number, text: string): StoredValue {
    const stored = new StoredValue(key, revision, undefined);
    stored.#text = text;
    return stored;
  }

  get value(): KubeObject {
    this.#used = true;
    return this.#value ?? this.#read();
  }

  get labels(): Labels {
    this.#labels ??= this.value.metadata.labels ?? none;
    return this.#labels;
  }

  get bytes(): Buffer {
    this.#bytes ??= this.line.subarray(0, -1);
    return this.#bytes;
  }

  get line(): Buffer {
    if (this.#line) return this.#line;
    const { text } = this;
    // It could not stay text.
    if (text === undefined) return this.line;
    const length = Buffer.byteLength(text);
    const line = ownMemory(length + 1);
    line.write(text);
    // Joined to the text it would have the text copied once more.
    line[length] = newline;
    this.#line = line;
    this.#text = undefined;
    return line;
  }

  get text(): string | undefined {
    if (this.#line || this.#text !== undefined) return this.#text;
    const text = encodeText(this.#value as KubeObject);
    this.#text = text;
    // It counts for more than it was thought to.
    if (text.length > 2 * this.counted && this.counted > 0) recent.resize(this, text.length);
    const isAscii = Buffer.byteLength(text) === text.length;
    if (!isAscii || text.length > longestText) void this.line;
    return this.#text;
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
    if (pinned.has(value)) return true;
    this.#frozen = Object.isFrozen(value);
    void this.text;
    this.#bytes = undefined;
    this.#labels ??= value.metadata.labels ?? none;
    this.#value = undefined;
    return true;
  }

  /** There is a newer version: whoever still asks for the value of this one reads it anew. */
  replaced(): void {
    this.#used = false;
    this.letGo();
    recent.remove(this);
  }

  #read(): KubeObject {
    const value = this.#text === undefined ? decodeObject(this.#line as Buffer) : decodeText(this.#text);
    if (this.#frozen) deepFreeze(value);
    this.#value = value;
    recent.add(this, this.#text?.length ?? this.line.length);
    return value;
  }
}

/** Small buffers are cut from a common piece of memory, which each of them would keep: up to thirty times as much. */
const ownMemory = Buffer.allocUnsafeSlow;

function ownBuffer(buffer: Buffer): Buffer {
  if (buffer.buffer.byteLength === buffer.length) return buffer;
  const own = ownMemory(buffer.length);
  buffer.copy(own);
  return own;
}

/** The same state under a newer version, as watchers are told of an object that is gone from their sight. */
export const withRevision = (stored: Stored, revision: number): Stored =>
  new StoredValue(stored.key, revision, {
    ...stored.value,
    metadata: { ...stored.value.metadata, resourceVersion: String(revision) },
  });
