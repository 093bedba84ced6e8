import type { Json } from '../../verbs/client.ts';
import type { Step } from '../play/scenario.ts';
import type { StreamEvent } from './content.ts';

/**
 * What may come from a server's cache comes in any order: lists that need not be exact, and the first events of watches
 * that show what is there already.
 */
export function mayComeFromCache({ query, watch }: Step): boolean {
  const given = typeof query === 'string' ? Object.fromEntries(new URLSearchParams(query)) : (query ?? {});
  const { resourceVersion = '', resourceVersionMatch, continue: token } = given;
  if (watch) return resourceVersion === '' || resourceVersion === '0';
  return resourceVersion !== '' && resourceVersionMatch !== 'Exact' && !token;
}

/** A list, however written, with its items in the order of their names. */
export function itemsByName(body: Json): Json {
  if (Array.isArray(body?.items)) return { ...body, items: byName(body.items) };
  if (Array.isArray(body?.rows)) return { ...body, rows: byName(body.rows) };
  if (Array.isArray(body?.wire?.[2])) return { ...body, wire: { ...body.wire, 2: byName(body.wire[2]) } };
  return body;
}

/** The events of each object in their order, one object after the other. */
export const eventsByName = (events: readonly StreamEvent[]): readonly StreamEvent[] =>
  [...events].sort((one, other) => compared(placeOf(one.object), placeOf(other.object)));

const byName = (items: readonly Json[]): Json[] =>
  [...items].sort((one, other) => compared(placeOf(one), placeOf(other)));

const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** How many events of each object there are among these. */
const countsOf = (events: readonly StreamEvent[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(events, ({ object }) => placeOf(object))].map(([place, all]) => [place, all.length]));

/**
 * What two streams have told by the time that both had told it: of all, or, where the order is not promised, of each
 * object.
 */
export function toldByBoth(step: Step, streams: readonly (readonly StreamEvent[])[]): readonly StreamEvent[][] {
  if (!mayComeFromCache(step)) {
    const length = Math.min(...streams.map((events) => events.length));
    return streams.map((events) => events.slice(0, length));
  }
  const counts = streams.map(countsOf);
  return streams.map((events) => {
    const told = new Map<string, number>();
    return events.filter(({ object }) => {
      const place = placeOf(object);
      const count = (told.get(place) ?? 0) + 1;
      told.set(place, count);
      return counts.every((all) => (all.get(place) ?? 0) >= count);
    });
  });
}

/** Namespace and name: in protobuf fields 3 and 1 of the metadata, which is field 1; a Table of a watch has one row. */
function placeOf(object: Json): string {
  const row = object?.rows?.[0]?.object ?? object?.object;
  const { namespace, name } = row?.metadata ?? object?.metadata ?? fieldsOf(object?.wire ?? object);
  return `${namespace ?? ''}/${name ?? ''}`;
}

function fieldsOf(wire: Json): Json {
  const [metadata] = Array.isArray(wire?.[1]) ? wire[1] : [];
  return { namespace: metadata?.[3]?.[0], name: metadata?.[1]?.[0] };
}
