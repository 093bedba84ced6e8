import { canonicalJson, isJsonObject, memberOf } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';

/** Finds the values that a compiled path leads to, in the order of the document, at most so many as are asked for. */
export type JsonPath = (root: Json) => Generator<Json>;

type Step = (value: Json, visit: () => boolean) => Iterable<Json>;

/** More parts of an object than this are not looked at for one path. */
const mostVisits = 100_000;

/**
 * Compiles a path of the kind that printer columns use: `.a.b`, `.a\.b`, `['a']`, `[0]`, `[-1]`, `[1:3]`, `[::2]`,
 * `[0,2]`, `[*]`, `[]`, `..a`, `[?(@.type=="Ready")]`.
 *
 * @throws Error the text is no such path
 */
export function compileJsonPath(text: string): JsonPath {
  const steps = parseSteps(new Reader(text));
  return function* find(root) {
    let visits = 0;
    const visit = () => ++visits <= mostVisits;
    yield* follow(root, steps, 0, visit);
  };
}

function* follow(value: Json, steps: readonly Step[], at: number, visit: () => boolean): Generator<Json> {
  const step = steps[at];
  if (!step) {
    yield value;
    return;
  }
  for (const next of step(value, visit)) {
    if (!visit()) return;
    yield* follow(next, steps, at + 1, visit);
  }
}

class Reader {
  readonly text: string;
  at = 0;
  constructor(text: string) {
    this.text = text;
  }
  get done(): boolean {
    return this.at >= this.text.length;
  }
  take(token: string): boolean {
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at += found[0].length;
    return found ?? undefined;
  }
  fail(): never {
    throw new Error(`not a JSONPath: ${JSON.stringify(this.text)} (at ${this.at})`);
  }
}

function parseSteps(reader: Reader, end?: string): Step[] {
  const steps: Step[] = [];
  while (!reader.done && !end?.includes(reader.text[reader.at] as string)) steps.push(...parseStep(reader));
  return steps;
}

function parseStep(reader: Reader): Step[] {
  if (reader.take('..')) return [descend, ...(reader.take('[') ? [bracket(reader)] : [named(reader)])];
  if (reader.take('[')) return [bracket(reader)];
  if (reader.take('.')) return reader.done ? [nowhere] : reader.text[reader.at] === '[' ? [] : [named(reader)];
  return reader.fail();
}

function named(reader: Reader): Step {
  if (reader.take('*')) return every;
  const name = reader.match(/(?:\\.|[^.[\]\\\s=!<>()&|,])+/y);
  return name ? memberStep(name[0].replace(/\\(.)/g, '$1')) : reader.fail();
}

const memberStep =
  (name: string): Step =>
  (value) => {
    const member = isJsonObject(value) ? memberOf(value, name) : undefined;
    return member === undefined ? [] : [member];
  };

/** Behind a dot at the end. */
const nowhere: Step = () => [];

const every: Step = (value) => (Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : []);

function* descend(value: Json, visit: () => boolean): Generator<Json> {
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!visit()) return;
    yield next;
    // No more than would be looked at, and not as arguments, of which a call takes but so many.
    for (const inner of [...every(next, visit)].slice(0, mostVisits).reverse()) waiting.push(inner);
  }
}

function bracket(reader: Reader): Step {
  if (reader.take('?(')) return filter(reader);
  const steps: Step[] = [];
  do steps.push(reader.text[reader.at] === "'" ? quoted(reader) : range(reader));
  while (reader.take(','));
  if (!reader.take(']')) return reader.fail();
  const [only] = steps;
  return only && steps.length === 1 ? only : (value, visit) => steps.flatMap((step) => [...step(value, visit)]);
}

/** A path in quotes: a dot in it needs a backslash, like anywhere. */
function quoted(reader: Reader): Step {
  const text = reader.match(/'((?:\\.|[^'\\])*)'/y)?.[1];
  if (!text) return reader.fail();
  const steps = parseSteps(new Reader(`.${text}`));
  return (value, visit) => follow(value, steps, 0, visit);
}

/** `0`, `-1`, `1:3`, `::2`, `*` or nothing, which is all. Nothing is found where an end is out of bounds. */
function range(reader: Reader): Step {
  if (reader.take('*')) return items;
  const found = reader.match(/(-?\d+)?(?:(:)(-?\d+)?(?::(\d+)?)?)?/y);
  const [, from, colon, to, by] = found ?? [];
  const stride = Number(by ?? 1);
  if (stride === 0) return reader.fail();
  return (value) => {
    if (!Array.isArray(value)) return [];
    const { length } = value;
    const bound = (text: string | undefined, standard: number) =>
      text === undefined ? standard : Number(text) + (text.startsWith('-') ? length : 0);
    const start = bound(from, 0);
    const end = colon || from === undefined ? bound(to, length) : start + 1;
    if (start < 0 || start > length || end < 0 || end > length) return [];
    return value.slice(start, end).filter((_, at) => at % stride === 0);
  };
}

const items: Step = (value) => (Array.isArray(value) ? value : []);

type Operand = (item: Json, visit: () => boolean) => Json | undefined;

/** `@.a.b` exists, or compares with a literal or another path. */
function filter(reader: Reader): Step {
  const left = operand(reader);
  const operator = reader.match(/\s*(==|!=|<=|>=|<|>)\s*/y)?.[1];
  const right = operator ? operand(reader) : undefined;
  if (!reader.match(/\s*\)\s*\]/y)) return reader.fail();
  const holds = (item: Json, visit: () => boolean) => {
    const one = left(item, visit);
    if (one === undefined) return false;
    if (!right || !operator) return true;
    const other = right(item, visit);
    return other !== undefined && compare(one, operator, other);
  };
  return (value, visit) => (Array.isArray(value) ? value.filter((item) => holds(item, visit)) : []);
}

function operand(reader: Reader): Operand {
  reader.match(/\s*/y);
  const text = reader.match(/'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"/y);
  if (text) {
    const value = (text[1] ?? text[2] ?? '').replace(/\\(.)/g, '$1');
    return () => value;
  }
  const word = reader.match(/-?\d+(?:\.\d+)?|true|false/y);
  if (word) {
    const value = JSON.parse(word[0]) as Json;
    return () => value;
  }
  if (!reader.take('@')) return reader.fail();
  const steps = parseSteps(reader, ' )=!<>');
  return (item, visit) => follow(item, steps, 0, visit).next().value as Json | undefined;
}

function compare(one: Json, operator: string, other: Json): boolean {
  if (operator === '==') return canonicalJson(one) === canonicalJson(other);
  if (operator === '!=') return canonicalJson(one) !== canonicalJson(other);
  const comparable = isOrdered(one) && isOrdered(other) && (typeof one === 'string') === (typeof other === 'string');
  if (!comparable) return false;
  if (operator === '<') return one < other;
  if (operator === '<=') return one <= other;
  return operator === '>' ? one > other : one >= other;
}

const isOrdered = (value: Json): value is string | number | bigint =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
