import type { Json } from './kube-object.ts';

export type JsonObject = { [key: string]: Json };

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is a text, or as good as left out. */
export const isTextOrNone = (value: unknown): boolean =>
  typeof value === 'string' || value === undefined || value === null;

/** Sets an own member even when the key is `__proto__`. */
export function putMember(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/** A copy, since deleting members would leave a slow object behind. */
export function without(value: JsonObject, dropped: ReadonlySet<string>): JsonObject {
  const rest: JsonObject = {};
  for (const key in value) if (!dropped.has(key)) putMember(rest, key, value[key] as Json);
  return rest;
}

/** Own members only: `constructor` and the like are absent unless the data has them. */
export const memberOf = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** A whole number of 64 bits, as JSON Schema's `integer` sees it: `1.0` is one, `1e300` is too large to be sure. */
export const isInteger = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);

/** The JSON Schema name of a value's type. */
export function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint' || typeof value === 'number') return isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** The value as JSON text for a message; large integers keep their digits. */
export function shownValue(value: Json | undefined): string {
  if (value === undefined) return 'null';
  if (typeof value === 'bigint') return String(value);
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each));
}

/** One text for all spellings of the same value: keys sorted, numbers in one form. For sets and keys. */
export function canonicalJson(value: Json): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as Json)}`);
  return `{${members.join(',')}}`;
}
