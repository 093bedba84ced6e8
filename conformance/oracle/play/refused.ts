import { isMap, type Json } from '../../verbs/json.ts';

const entryField = /^([^[\]]+)\[(\d+)\]/;

/**
 * What was sent, without the entries of lists, of the outermost ones, that its refusal finds a fault with.
 * @param usual has what stands instead of any other member with which it does, and of a list that has no entries left
 */
export function withoutRefused(sent: Json, refusal: Json, usual?: Json): Json {
  const causes: readonly Json[] = refusal?.details?.causes ?? [];
  const good = withoutEntries(sent, causes);
  if (usual === undefined) return good;
  const paths = causes.map(({ field }) => String(field ?? '').replace(/\[.*/, ''));
  return paths.reduce((json, path) => withUsual(json, path.split('.'), usual), good);
}

function withoutEntries(sent: Json, causes: readonly Json[]): Json {
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

/** Lists keep the entries that they have left. */
function withUsual(json: Json, [member, ...rest]: readonly string[], usual: Json): Json {
  if (member === undefined) return Array.isArray(json) && json.length > 0 ? json : usual;
  if (!isMap(json)) return json;
  const { [member]: value, ...others } = json;
  const known = withUsual(value, rest, usual?.[member]);
  return known === undefined ? others : { ...others, [member]: known };
}
