import { isUtf8 } from 'node:buffer';
import type { KubeObject } from '../../base/kube-object.ts';
import { StatusError } from '../../base/status-error.ts';
import { decodeProtobuf, encodeProtobuf } from '../../schema/protobuf/protobuf.ts';
import { EncryptedError, UnreadableError } from '../store.ts';
import { canBeText, decodeObject, encodeObject } from '../stored-value.ts';

/** How values are written; each is read. */
export type ValueFormat = 'application/json' | 'application/vnd.kubernetes.protobuf';

/** What protobuf values begin with, and values that are encrypted at rest. */
const protobufMagic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);
const encryptedMagic = Buffer.from('k8s:enc:');

const lineEnd = Buffer.from('\n');

/** Bytes of JSON that etcd takes for sure, with what surrounds them: in one request 1.5 MiB. */
const mostJson = 1.5 * 1024 * 1024 - 8 * 1024;

/**
 * An object as its value in etcd: without the resourceVersion, which is etcd's. What is too large for etcd as JSON, in
 * which quotes and ends of lines are two characters each, is protobuf.
 */
export function encodeValue(object: KubeObject, format: ValueFormat): Buffer {
  const { resourceVersion: _version, ...metadata } = object.metadata;
  const value = { ...object, metadata };
  const json = () => Buffer.concat([encodeObject(value), lineEnd]);
  const asked = format === 'application/json' ? json() : undefined;
  if (asked && asked.length <= mostJson) return asked;
  try {
    return encodeProtobuf(value);
  } catch (error) {
    // Custom resources have no message, and are JSON always.
    if (!(error instanceof StatusError)) throw error;
    return asked ?? json();
  }
}

/** In which form objects are stored, and how what others have written becomes that one. */
export interface StoredForms {
  /** Undefined: whatever version they have. */
  apiVersionOf(key: string): string | undefined;
  /** @throws Error when it is nothing that can be known */
  adopt(key: string, object: KubeObject): KubeObject;
  /** Of an object that has the version already. @throws Error when it is none of its kind */
  expect(key: string, object: KubeObject): void;
}

/** Objects as they are. */
export const anyForm: StoredForms = {
  apiVersionOf: () => undefined,
  adopt: (_key, object) => object,
  expect: () => {},
};

/** Who has written a value: what `encodeValue` has made here needs no look at what is in it. */
export type Writer = 'here' | 'anybody';

/**
 * A value in etcd as the line that `Stored` promises. Whatever is wrong with it is found now: nobody who follows objects
 * could go on after one that cannot be read. @throws UnreadableError
 */
export function lineOf(
  key: string,
  bytes: Buffer,
  revision: number,
  forms: StoredForms,
  writer: Writer = 'anybody',
): Buffer {
  if (begins(bytes, encryptedMagic)) throw encrypted(key, bytes);
  const line = isOfVersion(bytes, forms.apiVersionOf(key)) ? withVersion(bytes, revision) : undefined;
  if (line && writer === 'here') return line;
  try {
    const object = decodeValue(bytes);
    if (!line) return stamped(forms.adopt(key, object), revision);
    forms.expect(key, object);
    return line;
  } catch (error) {
    throw new UnreadableError(key, `cannot be read: ${reasonOf(error)}`);
  }
}

/** As `lineOf`, of a value that was made here: without the end of the line, and undefined where it cannot be text. */
export function textOf(key: string, bytes: Buffer, revision: number, forms: StoredForms): string | undefined {
  if (!canBeText(bytes) || !isOfVersion(bytes, forms.apiVersionOf(key))) return undefined;
  const place = placeOfVersion(bytes);
  if (!place) return undefined;
  const { at } = place;
  return `${bytes.toString('latin1', 0, at)}${versionAt(place, revision)}${bytes.toString('latin1', at, bytes.length - 1)}`;
}

/** What the engine says of text that is no JSON quotes it. */
const reasonOf = (error: unknown): string =>
  error instanceof SyntaxError ? 'it is no JSON' : error instanceof Error ? error.message : String(error);

function encrypted(key: string, bytes: Buffer): EncryptedError {
  const [, , provider = ''] = bytes.subarray(0, 40).toString('latin1').split(':');
  return new EncryptedError(key, `is encrypted at rest (${provider}): store it unencrypted before it is read here`);
}

export const formatOf = (bytes: Buffer): ValueFormat =>
  begins(bytes, protobufMagic) ? 'application/vnd.kubernetes.protobuf' : 'application/json';

const begins = (bytes: Buffer, magic: Buffer) => bytes.subarray(0, magic.length).equals(magic);

function isOfVersion(bytes: Buffer, wanted: string | undefined): boolean {
  // What is no text is put right where it is written anew.
  if (!begins(bytes, head) || !isUtf8(bytes)) return false;
  if (wanted === undefined) return true;
  const kindEnd = bytes.indexOf(quote, head.length) + 1;
  return begins(bytes.subarray(kindEnd), Buffer.from(`,"apiVersion":${JSON.stringify(wanted)}`));
}

/** What `encodeValue` has made, in whichever format. @throws Error for anything else */
export function decodeValue(bytes: Buffer): KubeObject {
  const value = formatOf(bytes) !== 'application/json' ? decodeProtobuf(bytes) : decodeObject(bytes);
  const { metadata } = (value ?? {}) as { metadata?: unknown };
  if (typeof metadata !== 'object' || metadata === null) throw new Error('it is no object');
  return value as unknown as KubeObject;
}

function stamped(object: KubeObject, revision: number): Buffer {
  const { resourceVersion: _version, ...metadata } = object.metadata;
  return Buffer.concat([
    encodeObject({ ...object, metadata: { ...metadata, resourceVersion: String(revision) } }),
    lineEnd,
  ]);
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const head = Buffer.from('{"kind":"');
const metadataName = Buffer.from('"metadata":{');
const versionName = Buffer.from('"resourceVersion":');

/** The same JSON with the revision as the last member of its metadata, without reading it all. */
function withVersion(json: Buffer, revision: number): Buffer | undefined {
  const place = placeOfVersion(json);
  if (!place) return undefined;
  const { at } = place;
  const length = json.at(-1) === lineEnd[0] ? json.length - 1 : json.length;
  const version = Buffer.from(versionAt(place, revision));
  return Buffer.concat([json.subarray(0, at), version, json.subarray(at, length), lineEnd]);
}

/** Where metadata ends. */
interface PlaceOfVersion {
  readonly at: number;
  readonly isFirst: boolean;
}

const versionAt = ({ isFirst }: PlaceOfVersion, revision: number): string =>
  `${isFirst ? '' : ','}"resourceVersion":"${revision}"`;

/**
 * Undefined where it is not written as servers write it: kind and apiVersion first, then the metadata, without a version.
 */
function placeOfVersion(json: Buffer): PlaceOfVersion | undefined {
  const start = json.indexOf(metadataName);
  if (start < 0 || json.subarray(0, start).includes(openBrace, 1)) return undefined;
  const at = endOfObject(json, start + metadataName.length);
  if (at < 0 || json.subarray(start, at).includes(versionName)) return undefined;
  return { at, isFirst: json[at - 1] === openBrace };
}

/** Where the brace stands that closes the object whose members begin at `from`; -1: nowhere. */
function endOfObject(json: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) {
      for (at++; at < json.length && json[at] !== quote; at++) if (json[at] === backslash) at++;
    } else if (byte === openBrace || byte === openBracket) depth++;
    else if ((byte === closeBrace || byte === closeBracket) && depth-- === 0) return at;
  }
  return -1;
}
