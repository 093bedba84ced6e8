import type { Json } from '../../verbs/client.ts';
import type { Path } from './path.ts';
import { isMapEntry } from './wire.ts';

/** Causes and rights come in any order and any number of times; managers in that of the clock, here where nothing tells of time. */
const unordered = /details\.causes$|status\.(?:nonR|r)esourceRules$|wire[.\w]*\.1\.0\.17$/;

/** The items of a list; sorted where they come in any order. */
export function inOrder(items: Json[], path: Path): Json {
  if (items.length < 2) return items;
  const isMap = path.isWire && items.every(isMapEntry);
  // The resources of a group, in which custom ones are in no order.
  if (path.text === 'resources') return [...items].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  if (path.name === 'managedFields') return managersInOrder(items);
  if (!isMap && !unordered.test(path.text)) return items;
  return sortedOnce(items);
}

/**
 * Managers by what they do, and those who do the same by the clock: within a second that is up to chance. Of those who are
 * not in that order nothing is moved.
 */
function managersInOrder(items: readonly Json[]): Json[] {
  const runs: Json[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (run?.[0]?.operation === item?.operation) run?.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run) => (isByTime(run) ? sortedOnce(run) : run));
}

/** Times that were sent are texts, and others moments: the one is not known to be before the other. */
const isByTime = (items: readonly Json[]): boolean =>
  items.every((item, at) => {
    const time = item?.time;
    const before = items[at - 1]?.time ?? time;
    if (typeof time === 'string' && typeof before === 'string') return before <= time;
    return !(before?.$seconds > time?.$seconds);
  });

/** Each once, in an order that the moments in it and the order of members have no part in. */
export function sortedOnce(items: readonly Json[]): Json[] {
  const keyed = items.map((item) => [keyOf(item), item] as const);
  return [...new Map(keyed).entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}

/** As JSON, but for moments of which only it is told how fine they are, with members in the order of their names. */
function keyOf(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  if ('$seconds' in value) return `{"$digits":${value.$digits}}`;
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${keyOf(value[name])}`);
  return `{${members.join()}}`;
}
