import { isJsonObject, memberOf } from '../base/json-value.ts';
import type { Json } from '../base/kube-object.ts';

/** The names of a path such as `.spec.replicas`. */
export const dottedNames = (path: string): readonly string[] => path.slice(1).split('.');

/** The value at a path of member names; undefined when something on the way is missing or no object. */
export function valueAt(object: unknown, names: readonly string[]): Json | undefined {
  let value = object as Json | undefined;
  for (const name of names) {
    if (!isJsonObject(value)) return undefined;
    value = memberOf(value, name);
  }
  return value;
}
