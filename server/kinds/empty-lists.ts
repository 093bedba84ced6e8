import type { KubeObject } from '../base/kube-object.ts';

/**
 * Drops lists that are empty. A client may own such a list in kinds that tell it from a missing one until they store
 * it; this is the last step before they do. In place.
 */
export function dropEmptyLists(object: KubeObject, fields: readonly string[]): void {
  for (const field of fields) {
    const value = object[field];
    if (Array.isArray(value) && value.length === 0) delete object[field];
  }
}
