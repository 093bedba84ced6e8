import type { Json } from '../../verbs/client.ts';
import type { Moment, Normal } from './normal.ts';

/** One place where two answers are not the same. */
export interface Difference {
  /** `status`, `header NAME`, or a dotted path in the body with `[]` for every place in a list. */
  readonly at: string;
  /** What the judged server said, and what the other one did; undefined where it said nothing. */
  readonly seen: Json;
  readonly expected: Json;
}

const most = 8;
/** Clocks and plays are not quite the same, in seconds. */
const tolerance = 15;

/** Where the answer of the judged server is not that of the other. Nothing when they mean the same. */
export function differencesOf(seen: Normal, expected: Normal): readonly Difference[] {
  if (seen.status !== expected.status) return [{ at: 'status', seen: seen.status, expected: expected.status }];
  const found: Difference[] = [];
  for (const name of new Set([...Object.keys(seen.headers), ...Object.keys(expected.headers)]))
    if (seen.headers[name] !== expected.headers[name])
      found.push({ at: `header ${name}`, seen: seen.headers[name], expected: expected.headers[name] });
  walk(seen.body, expected.body, '', found);
  return found;
}

function walk(seen: Json, expected: Json, at: string, found: Difference[]): void {
  if (found.length >= most || seen === expected) return;
  if (Array.isArray(seen) && Array.isArray(expected)) {
    walkList(seen, expected, at, found);
  } else if (isMoment(seen) && isMoment(expected)) {
    if (!isSameMoment(seen, expected)) found.push({ at, seen, expected });
  } else if (isObject(seen) && isObject(expected)) {
    for (const name of new Set([...Object.keys(seen), ...Object.keys(expected)]))
      walk(seen[name], expected[name], at === '' ? name : `${at}.${name}`, found);
  } else found.push({ at: at === '' ? 'body' : at, seen, expected });
}

const isObject = (value: Json): boolean => value !== null && typeof value === 'object' && !Array.isArray(value);

const isMoment = (value: Json): value is Moment => isObject(value) && '$seconds' in value;

const isSameMoment = (seen: Moment, expected: Moment): boolean =>
  seen.$digits === expected.$digits && Math.abs(seen.$seconds - expected.$seconds) <= tolerance;

function walkList(seen: Json[], expected: Json[], at: string, found: Difference[]): void {
  if (seen.length !== expected.length) {
    found.push({ at: `${at}.length`, seen: seen.map(brief), expected: expected.map(brief) });
    return;
  }
  for (const [place, item] of seen.entries()) walk(item, expected[place], `${at}[]`, found);
}

/** Enough of a list's entry to tell which it is. */
function brief(item: Json): Json {
  if (!isObject(item)) return item;
  const name = item.object?.metadata?.name ?? item.metadata?.name ?? item.name;
  if (name === undefined) return item;
  return item.type && item.object ? `${item.type} ${name}` : name;
}
