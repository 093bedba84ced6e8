import { isMap, type Json } from '../../verbs/json.ts';
import { withSharedBookmarks } from './bookmarks.ts';
import type { Moment } from './naming.ts';
import type { Normal } from './normal.ts';
import { saysEmpty, withoutEmpty } from './wire.ts';

/** One place where two answers are not the same. */
export interface Difference {
  /** `status`, `header NAME`, or a dotted path in the body with `[]` for every place in a list. */
  readonly at: string;
  /** What the judged server said, and what the other one did; undefined where it said nothing. */
  readonly seen: Json;
  readonly expected: Json;
}

const most = 8;
/** How far apart the same moment may be in two plays that take equally long, in seconds: clocks are not quite the same. */
const tolerance = 15;

/**
 * Where the answer of the judged server is not that of the other. Nothing when they mean the same.
 * @param lag how many seconds one play was behind the other at most
 */
export function differencesOf(seen: Normal, expected: Normal, lag = 0): readonly Difference[] {
  if (seen.status !== expected.status)
    return [{ at: 'status', seen: seen.status, expected: expected.status }, ...refusals(seen, expected)];
  const [found, nulls]: [Difference[], Difference[]] = [[], []];
  for (const name of new Set([...Object.keys(seen.headers), ...Object.keys(expected.headers)]))
    if (seen.headers[name] !== expected.headers[name])
      found.push({ at: `header ${name}`, seen: seen.headers[name], expected: expected.headers[name] });
  const [one, other] = withSharedBookmarks(seen, expected);
  walk({ seen: one.body, expected: other.body, at: '' }, { found, nulls, tolerance: tolerance + lag });
  return [...found, ...nulls.slice(0, most)];
}

/** One server says null where the other says nothing, which means the same to most: all else comes before it. */
export const isNull = ({ seen, expected }: Difference): boolean =>
  (seen === null && expected === undefined) || (seen === undefined && expected === null);

/** Where a refusal that the other does not share finds the faults: its words are no part of an answer that is compared. */
function refusals(seen: Normal, expected: Normal): Difference[] {
  const [one, other] = [seen, expected].map(({ body }) => body?.details?.causes);
  return (one ?? other) === undefined ? [] : [{ at: 'details.causes', seen: one, expected: other }];
}

interface Walk {
  readonly found: Difference[];
  /** Those that are of null and nothing. */
  readonly nulls: Difference[];
  /** In seconds, between the same moments. */
  readonly tolerance: number;
}

function walk(place: Difference, way: Walk): void {
  const { seen, expected, at } = place;
  const { found, nulls } = way;
  if (found.length >= most || isSame(seen, expected)) return;
  if (Array.isArray(seen) && Array.isArray(expected)) {
    walkList(seen, expected, at, way);
  } else if (isMoment(seen) && isMoment(expected)) {
    if (!isSameMoment(seen, expected, way.tolerance)) found.push({ at, seen, expected });
  } else if (isMap(seen) && isMap(expected)) {
    for (const name of new Set([...Object.keys(seen), ...Object.keys(expected)])) {
      const both = { seen: seen[name], expected: expected[name], at: at === '' ? name : `${at}.${name}` };
      walk(name.startsWith('wire') ? alikeWritten(both) : both, way);
    }
  } else (isNull(place) ? nulls : found).push({ at: at === '' ? 'body' : at, seen, expected });
}

/** What is the same to the last member is passed over without a look at where it stands. */
function isSame(seen: Json, expected: Json): boolean {
  if (seen === expected) return true;
  if (seen === null || expected === null || typeof seen !== 'object' || typeof expected !== 'object') return false;
  if (Array.isArray(seen) !== Array.isArray(expected)) return false;
  const names = Object.keys(seen);
  if (names.length !== Object.keys(expected).length) return false;
  return names.every((name) => name in expected && isSame(seen[name], expected[name]));
}

/** Two protobuf messages in one manner of writing. */
function alikeWritten(place: Difference): Difference {
  const { seen, expected } = place;
  if (saysEmpty(seen) === saysEmpty(expected)) return place;
  return { ...place, seen: withoutEmpty(seen), expected: withoutEmpty(expected) };
}

const isMoment = (value: Json): value is Moment => isMap(value) && '$seconds' in value;

const isSameMoment = (seen: Moment, expected: Moment, apart: number): boolean =>
  seen.$digits === expected.$digits && Math.abs(seen.$seconds - expected.$seconds) <= apart;

function walkList(seen: Json[], expected: Json[], at: string, way: Walk): void {
  if (seen.length !== expected.length) {
    way.found.push({ at: `${at}.length`, seen: seen.map(brief), expected: expected.map(brief) });
    return;
  }
  for (const [place, item] of seen.entries()) walk({ seen: item, expected: expected[place], at: `${at}[]` }, way);
}

/** Enough of a list's entry to tell which it is. */
function brief(item: Json): Json {
  if (!isMap(item)) return item;
  const name = item.object?.metadata?.name ?? item.metadata?.name ?? item.name;
  if (name === undefined) return item;
  return item.type && item.object ? `${item.type} ${name}` : name;
}
