import type { Json } from './client.ts';

/** The entry of a manager, undefined when it has none. */
export const entryOf = (object: Json, manager: string, operation?: 'Apply' | 'Update'): Json =>
  (object?.metadata?.managedFields ?? []).find(
    (entry: Json) => entry.manager === manager && (!operation || entry.operation === operation),
  );

/** Whether a manager owns a field, given by its steps as field sets write them: `f:data`, `f:a`. */
export function owns(object: Json, manager: string, ...steps: readonly string[]): boolean {
  let set = entryOf(object, manager)?.fieldsV1;
  for (const step of steps) {
    if (set === null || typeof set !== 'object' || !Object.hasOwn(set, step)) return false;
    set = set[step];
  }
  return true;
}
