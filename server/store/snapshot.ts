import { readFileSync } from 'node:fs';
import type { KubeObject } from '../base/kube-object.ts';
import { fieldsOf, textOf } from '../base/untyped.ts';
import { decodeJson } from '../schema/json.ts';
import type { ListResult, Stored } from './store.ts';
import { encodeObject, StoredValue } from './stored-value.ts';
import type { State } from './versions.ts';
import { writeWhole } from './whole-file.ts';

/**
 * A state as a file for people and programs: lines of JSON. The first says what the file is and the revision, then comes
 * one for each object with its key and the revision of its last write, and the last says how many they are:
 *
 * ```
 * {"touchstone":"snapshot","version":1,"revision":7}
 * {"key":"/configmaps/default/a","revision":7,"object":{"kind":"ConfigMap",…}}
 * {"end":1}
 * ```
 */
const version = 1;

/** Bytes that are put together before they are written. */
const slice = 256 * 1024;

/** Writes the file for its owner alone, since Secrets are in it; it has its name once it is complete. */
export const writeSnapshot = (path: string, state: State): Promise<void> => writeWhole(path, slices(state));

function* slices({ revision, items }: State): Generator<string> {
  let text = `${JSON.stringify({ touchstone: 'snapshot', version, revision })}\n`;
  let count = 0;
  for (const stored of items) {
    text += lineOf(stored);
    count++;
    if (text.length < slice) continue;
    yield text;
    text = '';
  }
  yield `${text}${JSON.stringify({ end: count })}\n`;
}

const lineOf = ({ key, revision, bytes }: Stored) =>
  `{"key":${JSON.stringify(key)},"revision":${revision},"object":${bytes.toString()}}\n`;

/** What is wrong with an object under a key, in words; undefined: nothing. */
type Check = (key: string, object: KubeObject) => string | undefined;

/** @throws Error that names the line which is not as it should be */
export function readSnapshot(path: string, check?: Check): ListResult {
  const wrong = (number: number, what: string) => new Error(`${path}, line ${number + 1}: ${what}`);
  const bytes = readFileSync(path);
  if (bytes.subarray(0, packed.length).equals(packed)) throw new Error(`${path} is packed by gzip: unpack it first`);
  const lines = linesOf(bytes);
  const revision = revisionIn(fieldsOf(parsed(lines.next().value)), (what) => wrong(0, what));
  const items: Stored[] = [];
  const keys = new Set<string>();
  let number = 1;
  for (const line of lines) {
    const fields = fieldsOf(parsed(line));
    if (fields.end === items.length) return { revision, items, remaining: 0 };
    const stored = storedOf(fields, revision);
    if (!stored) throw wrong(number, 'this is no object with its key and revision, and not the end');
    if (keys.has(stored.key)) throw wrong(number, `the key ${JSON.stringify(stored.key)} is there twice`);
    const problem = check?.(stored.key, fields['object'] as KubeObject);
    if (problem) throw wrong(number, problem);
    keys.add(stored.key);
    items.push(stored);
    number++;
  }
  throw wrong(number, 'the end is missing');
}

function revisionIn(head: Readonly<Record<string, unknown>>, wrong: (what: string) => Error): number {
  const { revision } = head;
  if (head['touchstone'] !== 'snapshot') throw wrong('this is no snapshot');
  if (head['version'] !== version) throw wrong(`version ${String(head['version'])} is not known, only ${version}`);
  if (!isRevision(revision)) throw wrong('the revision is missing');
  return revision;
}

const newline = 0x0a;
/** What gzip begins its files with. */
const packed = Buffer.from([0x1f, 0x8b]);

/** All of it may be more than a text can be. */
function* linesOf(bytes: Buffer): Generator<Buffer, undefined> {
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(newline, start);
    const end = found < 0 ? bytes.length : found;
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}

function parsed(line: Buffer | undefined): unknown {
  try {
    return decodeJson(line ?? Buffer.alloc(0)).value;
  } catch {
    return undefined;
  }
}

const isRevision = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

function storedOf({ key, revision, object }: Readonly<Record<string, unknown>>, newest: number): Stored | undefined {
  const { kind, apiVersion, metadata } = fieldsOf(object);
  if (typeof key !== 'string' || !isRevision(revision) || revision > newest) return undefined;
  if (!textOf(kind) || !textOf(apiVersion) || typeof metadata !== 'object' || metadata === null) return undefined;
  const value = object as KubeObject;
  value.metadata.resourceVersion = String(revision);
  return StoredValue.ofLine(key, revision, Buffer.concat([encodeObject(value), Buffer.from('\n')]));
}
