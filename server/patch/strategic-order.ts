import type { Json } from '../base/kube-object.ts';
import type { Work } from '../base/turns/work.ts';

/** What elements of a list are told apart by: no list and no object. */
export type Name = string | number | bigint | boolean | null;
/** Tells the elements of a list apart. */
export type Named = (element: Json) => Name;
/** Where the element of a name stands first. */
export type Places = ReadonlyMap<Name, number>;

/** So many elements are looked at before others may have their turn. */
const stretch = 10_000;

export function* placesOf(list: readonly Json[], nameOf: Named): Work<Map<Name, number>> {
  const places = new Map<Name, number>();
  for (let place = 0; place < list.length; place++) {
    if (place % stretch === stretch - 1) yield;
    const name = nameOf(list[place] as Json);
    if (!places.has(name)) places.set(name, place);
  }
  return places;
}

/**
 * Orders a merged list: the elements that are wanted somewhere as that says, the others as they stood in the original. An
 * element that was in the original stays behind the others that stood before it; a new one comes before them.
 */
export function* orderElements(merged: readonly Json[], wanted: Places, original: Places, nameOf: Named): Work<Json[]> {
  // Lists of numbers: an object for each element of a long list would have to be collected all at once.
  const had = new Int32Array(merged.length);
  const place = new Int32Array(merged.length);
  const named: number[] = [];
  const unnamed: number[] = [];
  for (let n = 0; n < merged.length; n++) {
    if (n % stretch === stretch - 1) yield;
    const name = nameOf(merged[n] as Json);
    const at = wanted.get(name);
    had[n] = original.get(name) ?? isNew;
    place[n] = at ?? (had[n] === isNew ? original.size : (had[n] as number));
    (at === undefined ? unnamed : named).push(n);
  }
  const byPlace = (one: number, other: number) => (place[one] as number) - (place[other] as number);
  named.sort(byPlace);
  unnamed.sort(byPlace);
  yield;
  const result: Json[] = [];
  let other = 0;
  const precedes = (one: number, bound: number) => had[one] !== isNew && (had[one] as number) < bound;
  for (const n of named) {
    for (; other < unnamed.length && precedes(unnamed[other] as number, had[n] as number); other++)
      result.push(merged[unnamed[other] as number] as Json);
    result.push(merged[n] as Json);
  }
  for (; other < unnamed.length; other++) result.push(merged[unnamed[other] as number] as Json);
  return result;
}

const isNew = -1;
