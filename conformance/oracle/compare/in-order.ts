import type { Json } from '../../verbs/client.ts';
import type { Path } from './path.ts';
import { isMapEntry } from './wire.ts';

/** Managers are in the order of the clock; causes and rights come in any order and any number of times. */
const unordered = /details\.causes$|status\.(?:nonR|r)esourceRules$|metadata\.managedFields$|wire[.\w]*\.1\.0\.17$/;

/** The items of a list; sorted where they come in any order. */
export function inOrder(items: Json[], path: Path): Json {
  if (items.length < 2) return items;
  const isMap = path.isWire && items.every(isMapEntry);
  // The resources of a group, in which custom ones are in no order.
  if (path.text === 'resources') return [...items].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  if (!isMap && !unordered.test(path.text)) return items;
  return sortedOnce(items);
}

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
