import type { Json } from '../base/kube-object.ts';

/** Tells the elements of a list apart. */
export type Named = (element: Json) => string;

/**
 * Orders a merged list: the elements that `order` names as it says, the others as they stood in the original. An
 * element that was in the original stays behind the others that stood before it; a new one comes before them.
 */
export function orderElements(
  merged: readonly Json[],
  order: readonly Json[],
  original: readonly Json[],
  nameOf: Named,
): Json[] {
  const wanted = places(order, nameOf);
  const had = places(original, nameOf);
  const elements = merged.map((element) => ({ element, name: nameOf(element) }));
  const placeOf = (name: string) => wanted.get(name) ?? 0;
  const named = elements.filter(({ name }) => wanted.has(name)).sort((a, b) => placeOf(a.name) - placeOf(b.name));
  const wasAt = (name: string) => had.get(name) ?? had.size;
  const unnamed = elements.filter(({ name }) => !wanted.has(name)).sort((a, b) => wasAt(a.name) - wasAt(b.name));
  const others = unnamed.values();
  const result: Json[] = [];
  let other = others.next().value;
  for (const { element, name } of named) {
    const place = had.get(name);
    while (other && place !== undefined && (had.get(other.name) ?? place) < place) {
      result.push(other.element);
      other = others.next().value;
    }
    result.push(element);
  }
  for (; other; other = others.next().value) result.push(other.element);
  return result;
}

function places(list: readonly Json[], nameOf: Named): Map<string, number> {
  const found = new Map<string, number>();
  list.forEach((element, place) => {
    const name = nameOf(element);
    if (!found.has(name)) found.set(name, place);
  });
  return found;
}
