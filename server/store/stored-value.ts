import type { KubeObject } from '../base/kube-object.ts';
import { encodeJson } from '../schema/encode.ts';
import type { Stored } from './store.ts';

/** An object as the text that `Stored` promises: compact JSON, `kind` then `apiVersion` first. */
const textOf = (value: KubeObject): string => (beginsWithType(value) ? encodeJson(value) : inOrder(value));

/** An object as the bytes that `Stored` promises. */
export const encodeObject = (value: KubeObject): Buffer => Buffer.from(textOf(value));

/** Whether it is written in this order as it is. */
function beginsWithType(value: KubeObject): boolean {
  let first = true;
  for (const name in value) {
    if (!first) return name === 'apiVersion';
    if (name !== 'kind') return false;
    first = false;
  }
  return false;
}

/** The two names first, wherever they stand; keys that are numbers come before all others by themselves. */
function inOrder(value: KubeObject): string {
  const { kind, apiVersion, ...rest } = value;
  const head = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)}`;
  const tail = encodeJson(rest);
  return tail === '{}' ? `${head}}` : `${head},${tail.slice(1)}`;
}

/** One version of one object, encoded when its bytes are first asked for. */
export class StoredValue implements Stored {
  readonly key: string;
  readonly revision: number;
  readonly value: KubeObject;
  #bytes: Buffer | undefined;
  #line: Buffer | undefined;

  /** `value` must carry the revision already. */
  constructor(key: string, revision: number, value: KubeObject) {
    this.key = key;
    this.revision = revision;
    this.value = value;
  }

  get bytes(): Buffer {
    this.#bytes ??= this.line.subarray(0, -1);
    return this.#bytes;
  }

  get line(): Buffer {
    this.#line ??= Buffer.from(`${textOf(this.value)}\n`);
    return this.#line;
  }
}

/** The same state under a newer version, as watchers are told of an object that is gone from their sight. */
export const withRevision = (stored: Stored, revision: number): Stored =>
  new StoredValue(stored.key, revision, {
    ...stored.value,
    metadata: { ...stored.value.metadata, resourceVersion: String(revision) },
  });

/** `{"kind":"` + `","apiVersion":"` + `",`: what stands before and between the two names. */
const frameLength = 9 + 16 + 2;

/**
 * Where the members after `kind` and `apiVersion` begin in `bytes`. A list of a built-in kind shows its items without
 * these two: `{` and then everything from here on. Both are plain ASCII names, so their lengths tell.
 */
export const itemStart = ({ value }: Pick<Stored, 'value'>): number =>
  frameLength + value.kind.length + value.apiVersion.length;

const comma = 0x2c;
const brace = 0x7b;

/** How a list is written around its items. */
export interface ListFrame {
  readonly head: string;
  readonly tail: string;
  /** Leaves out kind and apiVersion of the items. */
  readonly bare: boolean;
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
  for (const item of items) size += item.bytes.length + 2;
  const target = allocate(size);
  let at = target.write(head);
  let first = true;
  for (const item of items) {
    if (!first) target[at++] = comma;
    first = false;
    if (bare) target[at++] = brace;
    at += item.bytes.copy(target, at, bare ? itemStart(item) : 0);
  }
  at += target.write(tail, at);
  return target.subarray(0, at);
}
