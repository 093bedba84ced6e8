import { isMap, type Json } from '../../verbs/json.ts';

/** So many entries of a list a server looks at in any case, however it bounds how many there may be. */
const mostEntries = 24;

/**
 * Merge patches put together where they do not contradict each other, each into the first heap that has room for it:
 * a server that refuses tells of all fields at once, so that one answer shows what many would.
 */
export function heapsOf(changes: readonly Json[]): readonly Json[] {
  const heaps: Json[] = [];
  for (const change of changes) {
    const together = heaps.map((heap) => both(heap, change));
    const at = together.findIndex((heap) => heap !== undefined);
    if (at < 0) heaps.push(change);
    else heaps[at] = together[at];
  }
  return heaps;
}

/** One patch that says what two say, lists one after the other; undefined where it cannot say both. */
function both(one: Json, other: Json): Json {
  if (Array.isArray(one) && Array.isArray(other)) return inOneList(one, other);
  if (!isMap(one) || !isMap(other) || isNothing(one) || isNothing(other))
    return JSON.stringify(one) === JSON.stringify(other) ? one : undefined;
  const result: Record<string, Json> = { ...one };
  for (const [name, value] of Object.entries<Json>(other)) {
    const together = Object.hasOwn(one, name) ? both(one[name], value) : value;
    if (together === undefined) return undefined;
    result[name] = together;
  }
  return result;
}

const isNothing = (value: Json): boolean => Object.keys(value).length === 0;

/** A list with nothing in it says something else than one that has entries. */
const inOneList = (one: readonly Json[], other: readonly Json[]): Json =>
  isNothing(one) || isNothing(other) || one.length + other.length > mostEntries ? undefined : [...one, ...other];
