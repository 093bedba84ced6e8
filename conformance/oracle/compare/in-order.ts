import type { Json } from '../../verbs/client.ts';
import { isMapEntry } from './wire.ts';

/** Managers are in the order of the clock; causes and rights come in any order and any number of times. */
const unordered = /details\.causes$|status\.(?:nonR|r)esourceRules$|metadata\.managedFields$|wire[.\w]*\.1\.0\.17$/;

/** The items of a list at a dotted path; sorted where they come in any order. */
export function inOrder(items: Json[], path: string): Json {
  const isMap = path.includes('wire') && items.length > 1 && items.every(isMapEntry);
  // The resources of a group, in which custom ones are in no order.
  if (path === 'resources') return [...items].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  if (!isMap && !unordered.test(path)) return items;
  return sortedOnce(items);
}

/** Each once, in an order that the moments in it and the order of members have no part in. */
export function sortedOnce(items: readonly Json[]): Json[] {
  const keyed = items.map((item) => [keyOf(item), item] as const);
  return [...new Map(keyed).entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}

const keyOf = (item: Json): string => JSON.stringify(item, membersInOrder);

function membersInOrder(_name: string, value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  if ('$seconds' in value) return { $digits: value.$digits };
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
