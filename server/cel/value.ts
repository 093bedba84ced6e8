import type { CelUint } from '@bufbuild/cel';
import { lazily } from '../base/caches/memo.ts';
import { celLibrary } from './library.ts';
import type { UrlValue } from './url.ts';

/**
 * What an expression works on: `int` is a bigint, `double` a number, lists are arrays, maps and objects are Maps.
 * Timestamps and durations are the library's own values.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelUint
  | readonly Value[]
  | ReadonlyMap<Value, Value>
  | UrlValue
  | Opaque
  | TypeValue;

/** A timestamp or duration of the library. */
export interface Opaque {
  readonly message: object;
}

/** What `type(x)` gives. */
export interface TypeValue {
  readonly typeName: string;
}

/** An error as a value: `&&`, `||` and the macros go on past it. */
export class Failure {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export type Outcome = Value | Failure;

export const isList = (value: unknown): value is readonly Value[] => Array.isArray(value);
export const isMap = (value: unknown): value is ReadonlyMap<Value, Value> => value instanceof Map;
export const isOpaque = (value: Value): value is Opaque =>
  typeof value === 'object' && value !== null && 'message' in value;
export const isUint = (value: Value): value is CelUint => celLibrary().isCelUint(value);

const environment = lazily(() => celLibrary().celEnv());

/** How the functions that are operators are written. */
const operators: Readonly<Record<string, string>> = {
  '_+_': 'a + b',
  '_-_': 'a - b',
  '_*_': 'a * b',
  '_/_': 'a / b',
  '_%_': 'a % b',
  '-_': '-a',
  '_==_': 'a == b',
  '_<_': 'a < b',
};

type Planned = (values: Record<string, unknown>) => unknown;
const planned = new Map<string, Planned>();

/** A call of a function of the library. The names are those of declared functions, so there are few. */
function planOf(name: string, method: boolean, count: number): Planned {
  const key = `${method ? '.' : ''}${name}/${count}`;
  const known = planned.get(key);
  if (known) return known;
  const names = ['a', 'b', 'c', 'd'].slice(0, count);
  const text = operators[name] ?? (method ? `a.${name}(${names.slice(1).join()})` : `${name}(${names.join()})`);
  const made = celLibrary().plan(environment(), celLibrary().parse(text)) as Planned;
  planned.set(key, made);
  return made;
}

/** Calls a function of the library on scalars, timestamps and durations; a method gets its receiver first. */
export function callLibrary(name: string, method: boolean, [a, b, c, d]: readonly Value[], count: number): Outcome {
  try {
    const result = planOf(name, method, count)({ a, b, c, d });
    return celLibrary().isCelError(result) ? new Failure(result.message) : (result as Value);
  } catch (error) {
    return new Failure(error instanceof Error ? error.message : String(error));
  }
}

/** How a list is compared and added to. */
export interface ListTraits {
  readonly kind: 'set' | 'map';
  readonly keys: readonly string[];
}

const zones = new WeakMap<Opaque, string>();
/** The zone in which a timestamp was written, such as `+01:00`; `Z` where none is known. */
export const zoneOf = (timestamp: Opaque): string => zones.get(timestamp) ?? 'Z';
export function zoned(timestamp: Opaque, zone: string): Opaque {
  if (zone !== 'Z') zones.set(timestamp, zone);
  return timestamp;
}

const traits = new WeakMap<readonly Value[], ListTraits>();
export const traitsOf = (list: readonly Value[]): ListTraits | undefined => traits.get(list);
export function withTraits(list: readonly Value[], of: ListTraits | undefined): readonly Value[] {
  if (of) traits.set(list, of);
  return list;
}
