import { cloneJson } from '../base/clone.ts';
import { compact } from '../base/compact.ts';
import { deepEqual } from '../base/deep-equal.ts';
import { putMember } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';
import type { Work } from '../base/turns/work.ts';
import { maximumDepth } from '../schema/decoded.ts';
import { LongList } from './long-list.ts';
import { measureJson } from './measure-json.ts';
import { BadPathError, ExcessivePatchError, FailedTestError, MalformedPatchError } from './patch-error.ts';

/** One operation of RFC 6902. Which members it needs depends on `op`; what is missing fails when it is applied. */
export interface JsonPatchOperation {
  readonly op?: string;
  readonly path?: string;
  readonly from?: string;
  readonly value?: Json;
}

export interface JsonPatch {
  readonly operations: readonly JsonPatchOperation[];
  /** Members that no operation has, as field-validation messages such as `json patch unknown field "[0].foo"`. */
  readonly faults: readonly string[];
}

type Container = Json[] | { [key: string]: Json };

const maximumOperations = 10_000;
/** Bytes that all copy operations of a patch may add together. */
const maximumCopied = 3 * 1024 * 1024;
/** A list of more elements is taken apart to put some in or out: to move all the others each time would take too long. */
const longList = 1000;

const members: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);
const texts = ['op', 'path', 'from'] as const;

/**
 * Reads a decoded body as a JSON patch; null is an empty patch.
 * @throws MalformedPatchError not a list of objects, or op, path or from is no text; ExcessivePatchError more than 10000
 *   operations
 */
export function parseJsonPatch(body: Json): JsonPatch {
  if (body === null) return { operations: [], faults: [] };
  if (!Array.isArray(body)) throw new MalformedPatchError('error decoding patch: a JSON patch is a list of operations');
  if (body.length > maximumOperations) {
    throw new ExcessivePatchError(`a JSON patch has at most ${maximumOperations} operations, got ${body.length}`);
  }
  const faults: string[] = [];
  const operations = body.map((each, index) => parseOperation(each, index, faults));
  return { operations, faults };
}

function parseOperation(operation: Json, index: number, faults: string[]): JsonPatchOperation {
  if (operation === null) return {};
  if (typeof operation !== 'object' || Array.isArray(operation)) {
    throw new MalformedPatchError(`error decoding patch: operation ${index} is not an object`);
  }
  for (const name of texts) {
    const text = Object.hasOwn(operation, name) ? operation[name] : null;
    if (text !== null && typeof text !== 'string') {
      throw new MalformedPatchError(`error decoding patch: ${name} of operation ${index} is not a string`);
    }
  }
  for (const name of Object.keys(operation)) {
    if (!members.has(name)) faults.push(`json patch unknown field ${JSON.stringify(`[${index}].${name}`)}`);
  }
  const read = (name: string) => (Object.hasOwn(operation, name) ? operation[name] : undefined);
  const text = (name: string) => (read(name) as string | null | undefined) ?? undefined;
  return compact({ op: text('op'), path: text('path'), from: text('from'), value: read('value') });
}

/** So many operations are carried out at a stretch. */
const stretch = 100;

/**
 * Applies RFC 6902 to a value as a v1.25 server does. Beyond the standard: `replace` of a missing key adds it, a
 * missing key passes a test against null and is copied as null, `-1` counts from the end of a list, and only
 * `replace` and `test` may name the whole document.
 * @returns a fresh value that shares nothing with its arguments
 * @throws BadPathError, FailedTestError; ExcessivePatchError the copies grow beyond all reason
 */
export function* applyJsonPatch(document: Json, operations: readonly JsonPatchOperation[]): Work<Json> {
  const patching = new Patching(cloneJson(document));
  for (const [number, operation] of operations.entries()) {
    if (number % stretch === 0) yield;
    patching.apply(operation);
  }
  patching.putTogether();
  yield;
  measureJson(patching.root, maximumDepth);
  return patching.root;
}

const missing = (pointer: string) => new BadPathError(`nothing is at ${JSON.stringify(pointer)}`);

const isContainer = (value: Json | undefined): value is Container => typeof value === 'object' && value !== null;

/** The segments of a pointer. Whatever stands before the first slash is skipped; undefined when there is none. */
function segmentsOf(pointer: string): string[] | undefined {
  const segments = pointer.split('/');
  if (segments.length < 2) return undefined;
  return segments.slice(1).map((each) => each.replace(/~[01]/g, (escaped) => (escaped === '~1' ? '/' : '~')));
}

/** The position that a segment names in a list of `length` places. */
function positionIn(length: number, segment: string): number {
  if (!/^[-+]?[0-9]+$/.test(segment)) throw new BadPathError(`${JSON.stringify(segment)} is no position in a list`);
  const number = Number(segment);
  const position = number < 0 ? number + length : number;
  if (position < 0 || position >= length) throw new BadPathError(`a list of ${length} has no position ${segment}`);
  return position;
}

interface Place {
  readonly container: Container;
  readonly segment: string;
}

class Patching {
  root: Json;
  #copied = 0;
  /** Lists that were taken apart; what they hold now is in their parts alone. */
  readonly #apart = new Map<Json[], LongList>();

  constructor(root: Json) {
    this.root = root;
  }

  /** Lists hold again what they are to hold. */
  putTogether(): void {
    for (const [list, parts] of this.#apart) parts.writeTo(list);
    this.#apart.clear();
  }

  #read(container: Container, segment: string): Json | undefined {
    if (!Array.isArray(container)) return Object.hasOwn(container, segment) ? container[segment] : undefined;
    const parts = this.#apart.get(container);
    const position = positionIn((parts ?? container).length, segment);
    return parts ? parts.get(position) : container[position];
  }

  apply(operation: JsonPatchOperation): void {
    const { op, path } = operation;
    if (path === undefined) throw new BadPathError('the operation has no path');
    const value = operation.value ?? null;
    if (op === 'add') this.#add(this.#place(path), cloneJson(value));
    else if (op === 'remove') this.#remove(this.#place(path));
    else if (op === 'replace') this.#replace(path, cloneJson(value));
    else if (op === 'move') this.#move(operation.from, path);
    else if (op === 'copy') this.#copy(operation.from, path);
    else if (op === 'test') this.#test(path, value);
    else throw new BadPathError(`there is no operation ${JSON.stringify(op)}`);
  }

  /** Where a pointer points: all but its last segment must lead to existing lists and objects. */
  #place(pointer: string): Place {
    const segments = segmentsOf(pointer);
    const last = segments?.pop();
    if (!segments || last === undefined) throw missing(pointer);
    let at: Json | undefined = this.root;
    for (const segment of segments) {
      if (!isContainer(at)) throw missing(pointer);
      at = this.#read(at, segment);
    }
    if (!isContainer(at)) throw missing(pointer);
    return { container: at, segment: last };
  }

  #add({ container, segment }: Place, value: Json): void {
    if (!Array.isArray(container)) {
      putMember(container, segment, value);
      return;
    }
    const { length } = this.#apart.get(container) ?? container;
    const position = segment === '-' ? length : positionIn(length + 1, segment);
    const parts = this.#partsOf(container, position);
    if (parts) parts.insert(position, value);
    else container.splice(position, 0, value);
  }

  /** Undefined: it is short, or what is done at its end moves nothing. */
  #partsOf(list: Json[], position: number): LongList | undefined {
    const known = this.#apart.get(list);
    if (known || list.length - position < longList) return known;
    const parts = new LongList(list);
    this.#apart.set(list, parts);
    return parts;
  }

  #remove({ container, segment }: Place): void {
    if (Array.isArray(container)) {
      const position = positionIn((this.#apart.get(container) ?? container).length, segment);
      const parts = this.#partsOf(container, position);
      if (parts) parts.remove(position);
      else container.splice(position, 1);
      return;
    }
    if (!Object.hasOwn(container, segment)) throw missing(segment);
    delete container[segment];
  }

  #replace(path: string, value: Json): void {
    if (path === '') {
      if (!isContainer(value)) throw new BadPathError('a document is an object or a list');
      this.root = value;
      return;
    }
    const { container, segment } = this.#place(path);
    if (!Array.isArray(container)) {
      putMember(container, segment, value);
      return;
    }
    const parts = this.#apart.get(container);
    const position = positionIn((parts ?? container).length, segment);
    if (parts) parts.set(position, value);
    else container[position] = value;
  }

  #move(from: string | undefined, path: string): void {
    if (from === undefined) throw new BadPathError('the operation has no from');
    const source = this.#place(from);
    const value = this.#read(source.container, source.segment);
    this.#remove(source);
    this.#add(this.#place(path), value ?? null);
  }

  #copy(from: string | undefined, path: string): void {
    if (from === undefined) throw new BadPathError('the operation has no from');
    this.putTogether();
    const { container, segment } = this.#place(from);
    const value = this.#read(container, segment) ?? null;
    const target = this.#place(path);
    this.#copied += measureJson(value, maximumDepth);
    if (this.#copied > maximumCopied) {
      throw new ExcessivePatchError(`the copy operations of a JSON patch may add at most ${maximumCopied} bytes`);
    }
    this.#add(target, cloneJson(value));
  }

  #test(path: string, expected: Json): void {
    const { container, segment } = path === '' ? { container: [this.root], segment: '0' } : this.#place(path);
    const value = this.#read(container, segment) ?? null;
    if (isContainer(value)) this.putTogether();
    if (!deepEqual(value, expected)) throw new FailedTestError(`${JSON.stringify(path)} has another value`);
  }
}
