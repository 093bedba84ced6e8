import type { Json } from '../base/kube-object.ts';
import { entityTooLarge } from '../base/status-error.ts';

export type JsonObject = { [key: string]: Json };

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member of that name, undefined when there is none; never an inherited one. */
export const memberOf = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Sets an own member, even `__proto__`. */
export function putMember(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/**
 * About how many bytes a value takes as JSON.
 * @throws StatusError 413 it is nested deeper than `levels`
 */
export function measureJson(value: Json, levels: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 4;
  if (levels <= 0) throw entityTooLarge('the patched object is nested too deep');
  let size = 2;
  if (Array.isArray(value)) {
    for (const each of value) size += 1 + measureJson(each, levels - 1);
    return size;
  }
  for (const key of Object.keys(value)) size += key.length + 4 + measureJson(value[key] as Json, levels - 1);
  return size;
}
