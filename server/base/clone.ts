import { type JsonObject, putMember } from './json-value.ts';
import type { Json } from './kube-object.ts';
/** A deep copy of a JSON value that shares nothing with the original. */
export function cloneJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneJson) as T;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    putMember(copy, key, cloneJson((value as JsonObject)[key] as Json));
  }
  return copy as T;
}
