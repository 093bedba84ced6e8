import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Scalar,
  stringify,
  type Tags,
  type YAMLMap,
} from 'yaml';
import { putMember } from '../../base/json-value.ts';
import type { Json } from '../../base/kube-object.ts';
import { StatusError } from '../../base/status-error.ts';
import { carryOut, type Work } from '../../base/turns/work.ts';
import { type Decoded, maximumFaults, noOddNumbers, unknownFieldMessage } from '../decoded.ts';
import { decodeJson } from '../json.ts';
import { deepest, firstDocument, mistake } from './document.ts';
import { folded } from './fold.ts';
import { resolvePlain } from './scalar.ts';
import { yamlWriter } from './writer.ts';

/** Aliases and merge keys may bring in so many values in all; a text that wants more is a bomb. */
const repeatBudget = 100_000;

/** As a plain key it fills in what other maps hold. */
const mergeKey = '<<';

type NodeLike = Node | null | undefined;

/** Builds plain values from the nodes of one document. */
class Builder {
  readonly duplicates: string[] = [];
  readonly #lines: LineCounter;
  readonly #anchors = new Map<string, Node>();
  /** Anchored nodes that are being built: an alias to one of them would have no end. */
  readonly #open = new Set<Node>();
  #insideAlias = 0;
  #repeated = 0;
  /** Where a text ends in the middle of a line. */
  readonly #openEnd: number | undefined;

  constructor(text: string, lines: LineCounter) {
    this.#openEnd = text.endsWith('\n') ? undefined : text.length;
    this.#lines = lines;
  }

  value(node: NodeLike, depth: number): Json {
    if (!node) return null;
    // Aliases inside aliases go deeper than the text does.
    if (depth > deepest) throw mistake(`the body is nested more than ${deepest} levels deep`);
    if (this.#insideAlias > 0) this.#spend();
    if (isAlias(node)) return this.#alias(node.source, depth);
    const { anchor } = node as { anchor?: string };
    if (anchor) this.#anchors.set(anchor, node);
    if (isScalar(node)) return this.#scalar(node);
    this.#open.add(node);
    const built = this.#collection(node, depth);
    this.#open.delete(node);
    return built;
  }

  #collection(node: Node, depth: number): Json {
    if (isMap(node)) return this.#map(node, depth);
    if (isSeq(node)) return node.items.map((item) => this.value(item as NodeLike, depth + 1));
    throw mistake('the body holds something that JSON has not');
  }

  #alias(name: string, depth: number): Json {
    const target = this.#anchors.get(name);
    if (!target) throw mistake(`unknown anchor '${name}' referenced`);
    if (this.#open.has(target)) throw mistake(`anchor '${name}' value contains itself`);
    this.#insideAlias++;
    const built = this.value(target, depth + 1);
    this.#insideAlias--;
    return built;
  }

  #scalar(node: Scalar): Json {
    const text = this.#textOf(node);
    const plain = node.type === 'PLAIN' || node.type === undefined;
    const resolved = resolvePlain(text, plain, node.tag);
    if (resolved === undefined)
      throw mistake(`cannot decode ${JSON.stringify(text.slice(0, 40))} as ${node.tag ?? 'JSON'}`);
    return resolved;
  }

  /** The last line of a block has a line break only where one was written. */
  #textOf({ source, value, type, range }: Scalar): string {
    const text = source ?? String(value ?? '');
    const endsOpen = type?.startsWith('BLOCK_') && range?.[1] === this.#openEnd && text.endsWith('\n');
    return endsOpen ? text.slice(0, -1) : text;
  }

  #map(node: YAMLMap, depth: number): Json {
    const map: { [key: string]: Json } = {};
    const merged: Json[] = [];
    for (const pair of node.items) {
      const key = pair.key as NodeLike;
      if (isScalar(key) && key.type === 'PLAIN' && key.value === mergeKey) {
        merged.push(this.value(pair.value as NodeLike, depth + 1));
        continue;
      }
      const name = this.#key(key, depth);
      if (Object.hasOwn(map, name)) this.#noteDuplicate(name, key);
      putMember(map, name, this.value(pair.value as NodeLike, depth + 1));
    }
    // What stands in the map itself wins over what is merged into it, and the first of several maps over the others.
    for (const source of merged.flat()) this.#merge(map, source);
    return map;
  }

  /** What is merged into one map may be merged into another one with it, again and again. */
  #merge(map: { [key: string]: Json }, source: Json): void {
    if (typeof source !== 'object' || source === null || Array.isArray(source)) {
      throw mistake('map merge requires map or sequence of maps as the value');
    }
    for (const [key, value] of Object.entries(source)) {
      this.#spend();
      if (!Object.hasOwn(map, key)) putMember(map, key, value);
    }
  }

  #spend(): void {
    if (++this.#repeated > repeatBudget) throw mistake('document contains excessive aliasing');
  }

  #key(key: NodeLike, depth: number): string {
    const value = this.value(key, depth + 1);
    if (typeof value === 'object') throw mistake('null, a map or a list cannot be a key');
    return String(value);
  }

  #noteDuplicate(name: string, key: NodeLike): void {
    if (this.duplicates.length >= maximumFaults || this.#insideAlias > 0) return;
    const { line } = this.#lines.linePos(key?.range?.[0] ?? 0);
    this.duplicates.push(`line ${line}: key ${JSON.stringify(name)} already set in map`);
  }
}

/** A map or list in brackets is over with its last bracket: what follows is not looked at. */
const endOfFlow = (contents: NodeLike): number =>
  (isMap(contents) || isSeq(contents)) && contents.flow ? (contents.range?.[1] ?? Infinity) : Infinity;

function* readDocument(text: string): Work<Decoded> {
  const { document, lines } = yield* firstDocument(text);
  yield;
  const error = document?.errors.find(
    ({ code, pos }) => code !== 'UNEXPECTED_TOKEN' || pos[0] < endOfFlow(document.contents),
  );
  if (error) {
    const { line } = lines.linePos(error.pos[0]);
    throw mistake(`line ${line}: ${error.message.split('\n', 1)[0]?.replace(/ at line \d+, column \d+:$/, '')}`);
  }
  const builder = new Builder(text, lines);
  const value = builder.value(document?.contents, 0);
  const { duplicates } = builder;
  return {
    value,
    oddNumbers: noOddNumbers,
    duplicates,
    faults: (unknown) => [...duplicates, ...unknown.map(({ path }) => unknownFieldMessage(path))],
  };
}

/** Clients mostly send JSON where YAML is asked for, which is much faster to read. */
function readAsJson(body: Uint8Array, text: string): Decoded | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  if (halfOfPair.test(text)) throw mistake('found invalid Unicode character escape code');
  try {
    const decoded = decodeJson(body);
    // Numbers have no written form in YAML: 5.0 is 5.
    return decoded.duplicates.length === 0 ? { ...decoded, oddNumbers: noOddNumbers } : undefined;
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Unlike in JSON, an escape in YAML is a whole character, so none is half of a pair. */
const halfOfPair = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

/** Characters that YAML has not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/**
 * Reads YAML 1.1 as Kubernetes clients write it: `yes` and `on` are booleans, dates are text, keys become text, only
 * the first document counts. Aliases are expanded within a budget. Long texts are read in turns with others.
 * @throws StatusError 400: not YAML, not UTF-8, nested too deep, too many aliases
 */
export function decodeYaml(body: Uint8Array): Promise<Decoded> | Decoded {
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    throw mistake('invalid UTF-8');
  }
  if (controls.test(text)) throw mistake('control characters are not allowed');
  return readAsJson(body, text) ?? carryOut(readDocument(text));
}

/** A dot alone is text: field sets are full of it, and nobody quotes it. */
function withoutBareDot(tag: Tags[number]): Tags[number] {
  if (typeof tag === 'string' || !tag.test?.test('.')) return tag;
  return { ...tag, test: /^[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?$/ } as Tags[number];
}

/** Who writes has no map to fill in: the key is text like any other. */
const isNotMerge = (tag: Tags[number]): boolean =>
  typeof tag === 'string' ? tag !== 'merge' : tag.tag !== 'tag:yaml.org,2002:merge';

type Stringify = NonNullable<ScalarTag['stringify']>;
type ScalarTag = Exclude<Tags[number], string> & { test?: RegExp };

/** Text that would be read as something else stands in double quotes; what only its characters keep from being plain, in single ones. */
function quoting(tags: Tags, fold: typeof foldedThere): Tags {
  const others = tags.flatMap((tag) => (typeof tag !== 'string' && (tag as ScalarTag).test ? [tag as ScalarTag] : []));
  return tags.map((tag) => {
    if (typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:str') return tag;
    const write = (tag as ScalarTag).stringify as Stringify;
    const stringifyText: typeof write = (item, context, ...more) => {
      const text = String(item.value);
      if (text === mergeKey && context.implicitKey) return JSON.stringify(text);
      const isKnown = others.some(({ test }) => test?.test(text));
      // Octal numbers with an o are read, which YAML 1.1 has not.
      if (!isKnown && resolvePlain(text, true, undefined) !== text) return JSON.stringify(text);
      const singleQuote = printable.test(text) && !isKnown;
      const quoted = singleQuote ? { ...context, options: { ...context.options, singleQuote } } : context;
      return fold(write(item, quoted, ...more), context);
    };
    return { ...tag, stringify: stringifyText } as Tags[number];
  });
}

const step = 2;

/** In a value; keys stay in their line. */
function foldedThere(written: string, { indent, indentAtStart, implicitKey }: Parameters<Stringify>[1]): string {
  if (implicitKey) return written;
  // What stands before a value is its key, which is less indented than what follows it.
  const column = indentAtStart === undefined ? indent.length : indent.length - step + indentAtStart;
  return folded(written, column, indent);
}

const printable = /^[\x20-\x7e\xa0-\ud7ff]*$/;

const anyWriter =
  (fold: typeof foldedThere) =>
  (value: unknown): string =>
    stringify(value, {
      version: '1.1',
      schema: 'yaml-1.1',
      lineWidth: 0,
      sortMapEntries: true,
      indentSeq: false,
      aliasDuplicateObjects: false,
      customTags: (tags) => quoting(tags.filter(isNotMerge).map(withoutBareDot), fold),
    });

/** As `encodeYaml`: knows everything, and takes its time. */
export const encodeAnyYaml = anyWriter(foldedThere);

/** `value` as a block-style YAML document with sorted keys. Undefined fields are left out. */
export const encodeYaml: (value: unknown) => string = yamlWriter(
  encodeAnyYaml,
  anyWriter((written) => written),
);
