import type { CelUint } from '@bufbuild/cel';
import type { JsonObject } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';
import { lazily } from '../base/memo.ts';
import { additionalOf, itemsOf, type JsonSchema } from '../schema/json-schema.ts';
import { escapedName } from './escape.ts';
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

const traits = new WeakMap<readonly Value[], ListTraits>();
export const traitsOf = (list: readonly Value[]): ListTraits | undefined => traits.get(list);
export function withTraits(list: readonly Value[], of: ListTraits | undefined): readonly Value[] {
  if (of) traits.set(list, of);
  return list;
}

/** Turns JSON into values by its schema, each object and list once for each schema that it is seen by. */
export class Converter {
  readonly #known = new WeakMap<object, Map<JsonSchema | undefined, Value>>();

  valueOf(json: Json, schema: JsonSchema | undefined): Value {
    if (typeof json !== 'object' || json === null) return scalarOf(json, schema);
    const known = this.#known.get(json) ?? new Map<JsonSchema | undefined, Value>();
    const before = known.get(schema);
    if (before !== undefined) return before;
    const value = Array.isArray(json) ? this.#list(json, schema) : this.#map(json, schema);
    this.#known.set(json, known.set(schema, value));
    return value;
  }

  #list(json: readonly Json[], schema: JsonSchema | undefined): Value {
    const items = schema && itemsOf(schema);
    const kind = schema?.['x-kubernetes-list-type'];
    const keys = (schema?.['x-kubernetes-list-map-keys'] ?? []).map((key) => escapedName(key) ?? key);
    const list = json.map((item) => this.valueOf(item, items));
    return withTraits(list, kind === 'set' || kind === 'map' ? { kind, keys } : undefined);
  }

  #map(json: JsonObject, schema: JsonSchema | undefined): Value {
    const map = new Map<Value, Value>();
    const properties = schema?.properties ?? {};
    const additional = schema && additionalOf(schema);
    for (const [key, member] of Object.entries(json)) {
      if (!schema || additional) map.set(key, this.valueOf(member, additional));
      else
        map.set(
          nameIn(properties, key),
          this.valueOf(member, Object.hasOwn(properties, key) ? properties[key] : undefined),
        );
    }
    return map;
  }
}

/** What a rule cannot see still counts when objects are compared, so it stays under a name that no rule can write. */
const nameIn = (properties: Readonly<Record<string, JsonSchema>>, key: string) =>
  (Object.hasOwn(properties, key) || envelope.includes(key) ? escapedName(key) : undefined) ?? `\n${key}`;

const envelope = ['apiVersion', 'kind', 'metadata', 'name', 'generateName'];

const timeFormats: Readonly<Record<string, string>> = {
  date: 'timestamp',
  'date-time': 'timestamp',
  duration: 'duration',
};

function scalarOf(json: string | number | bigint | boolean | null, schema: JsonSchema | undefined): Value {
  if (typeof json === 'number') {
    const whole = Number.isSafeInteger(json) && schema?.type !== 'number';
    return whole ? BigInt(json) : json;
  }
  if (typeof json === 'bigint') return schema?.type === 'number' ? Number(json) : json;
  if (typeof json !== 'string' || schema?.type !== 'string' || !schema.format) return json;
  if (schema.format === 'byte') return Buffer.from(json, 'base64');
  const convert = timeFormats[schema.format];
  if (!convert) return json;
  const made = callLibrary(convert, false, [textOfTime(json, schema.format)], 1);
  return made instanceof Failure ? json : made;
}

function textOfTime(text: string, format: string): string {
  if (format === 'date') return `${text}T00:00:00Z`;
  return format === 'date-time' ? text.toUpperCase() : text;
}
