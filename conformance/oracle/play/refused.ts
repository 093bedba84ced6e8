import type { Json } from '../../verbs/client.ts';

const entryField = /^([^[\]]+)\[(\d+)\]/;

/** What was sent, without the entries of lists, of the outermost ones, that its refusal finds a fault with. */
export function withoutRefused(sent: Json, refusal: Json): Json {
  const causes: readonly Json[] = refusal?.details?.causes ?? [];
  const named = causes.flatMap(({ field }) => {
    const [, path, place] = entryField.exec(field ?? '') ?? [];
    return path === undefined ? [] : [{ path, place: Number(place) }];
  });
  const byPath = Map.groupBy(named, ({ path }) => path);
  return [...byPath].reduce(
    (json, [path, found]) => without(json, path.split('.'), new Set(found.map(({ place }) => place))),
    sent,
  );
}

function without(json: Json, [member, ...rest]: readonly string[], places: ReadonlySet<number>): Json {
  if (member === undefined) return Array.isArray(json) ? json.filter((_, at) => !places.has(at)) : json;
  if (json === null || typeof json !== 'object' || !(member in json)) return json;
  return { ...json, [member]: without(json[member], rest, places) };
}
