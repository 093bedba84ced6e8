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

/** @throws Error that names the line which is not as it should be */
export function readSnapshot(path: string): ListResult {
  const lines = readFileSync(path, 'utf8').split('\n');
  const wrong = (number: number, what: string) => new Error(`${path}, line ${number + 1}: ${what}`);
  const head = fieldsOf(parsed(lines[0]));
  const revision = head.revision;
  if (head.touchstone !== 'snapshot') throw wrong(0, 'this is no snapshot');
  if (head.version !== version) throw wrong(0, `version ${String(head.version)} is not known, only ${version}`);
  if (!isRevision(revision)) throw wrong(0, 'the revision is missing');
  const items: Stored[] = [];
  const keys = new Set<string>();
  for (let number = 1; number < lines.length; number++) {
    const fields = fieldsOf(parsed(lines[number]));
    if (fields.end === items.length) return { revision, items, remaining: 0 };
    const stored = storedOf(fields, revision);
    if (!stored) throw wrong(number, 'this is no object with its key and revision, and not the end');
    if (keys.has(stored.key)) throw wrong(number, `the key ${JSON.stringify(stored.key)} is there twice`);
    keys.add(stored.key);
    items.push(stored);
  }
  throw wrong(lines.length, 'the end is missing');
}

function parsed(line: string | undefined): unknown {
  try {
    return decodeJson(Buffer.from(line ?? '')).value;
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
