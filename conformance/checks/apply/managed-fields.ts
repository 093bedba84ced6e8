import { isMap, type Json } from '../../verbs/json.ts';

/** The entry of a manager, undefined when it has none. */
export const entryOf = (object: Json, manager: string): Json =>
  (object?.metadata?.managedFields ?? []).find((entry: Json) => entry.manager === manager);

/** Whether a manager owns a field, given by its steps as field sets write them: `f:data`, `f:a`. */
export function owns(object: Json, manager: string, ...steps: readonly string[]): boolean {
  let set = entryOf(object, manager)?.fieldsV1;
  for (const step of steps) {
    if (set === null || typeof set !== 'object' || !Object.hasOwn(set, step)) return false;
    set = set[step];
  }
  return true;
}

/** The steps to the first field that a patch sets; lists are taken whole. */
export function stepsTo(patch: Json): string[] {
  const steps: string[] = [];
  let part = patch;
  while (isMap(part)) {
    const [key, value] = Object.entries(part)[0] ?? ['', undefined];
    steps.push(`f:${key}`);
    part = value;
  }
  return steps;
}

/** Whether a manager owns just the field that a patch sets: not so where it is only a part of what is owned as a whole. */
export const ownsField = (object: Json, manager: string, patch: Json): boolean =>
  owns(object, manager, ...stepsTo(patch));

/** What of a set of fields a patch does not set, down to the members of its maps. */
export function beyond(set: Json, patch: Json): readonly string[] {
  return Object.keys(set ?? {})
    .filter((step) => step.startsWith('f:'))
    .flatMap((step) => {
      const name = step.slice(2);
      if (!Object.hasOwn(patch, name)) return [name];
      return isMap(patch[name]) ? beyond(set[step], patch[name]).map((rest) => `${name}.${rest}`) : [];
    });
}

/** Whether a manager owns what a patch sets, as a part or, where it is atomic, as a whole. */
export function ownsPatch(object: Json, manager: string, patch: Json): boolean {
  let set = entryOf(object, manager)?.fieldsV1;
  for (const step of stepsTo(patch)) {
    if (set === null || typeof set !== 'object') return false;
    if (!Object.hasOwn(set, step)) return set !== entryOf(object, manager)?.fieldsV1 && Object.keys(set).length === 0;
    set = set[step];
  }
  return true;
}
