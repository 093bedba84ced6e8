import type { Json } from '../../verbs/client.ts';
import { uniqueMark } from '../../verbs/workspace.ts';

/**
 * A body without what rules have made that are played beside: only theirs bears the mark of their names. Entries and
 * members that speak of it go as a whole; what only leads there stays.
 */
export function withoutOthers(value: Json): Json {
  if (Array.isArray(value)) return value.filter((item) => !isOfOthers(item)).map(withoutOthers);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).filter(([name]) => !name.includes(uniqueMark));
  return Object.fromEntries(members.map(([name, item]) => [name, withoutOthers(item)]));
}

/** By its name, its kind, or where it is; a text by what it says. */
function isOfOthers(item: Json): boolean {
  if (typeof item === 'string') return item.includes(uniqueMark);
  const { name, kind, metadata, object, type, group } = item ?? {};
  const known = object?.metadata ?? metadata ?? {};
  return JSON.stringify([name, kind, type, group, known.name, known.namespace])?.includes(uniqueMark) ?? false;
}
