import { isJsonObject } from '../base/json-value.ts';
import type { KubeObject } from '../base/kube-object.ts';

/** Nothing there: an empty list counts as none. A null that is kept is something: the zero time. */
const absent = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

/**
 * Whether two decoded values mean the same: field order does not matter; absent and an empty list are equal.
 * Work is proportional to the smaller value.
 */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b || (absent(a) && absent(b))) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, position) => sameValue(item, b[position]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  for (const key of Object.keys(a)) if (!sameValue(a[key], Object.hasOwn(b, key) ? b[key] : undefined)) return false;
  return Object.keys(b).every((key) => Object.hasOwn(a, key) || absent(b[key]));
}

/** When the generation of most kinds rises. */
export const specChanged = (next: KubeObject, previous: KubeObject): boolean => !sameValue(next.spec, previous.spec);
