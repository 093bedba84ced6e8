import type { Json } from '../../verbs/client.ts';
import { everySaid } from '../samples/objects.ts';

type Told = ReadonlyMap<string, ReadonlySet<Json>>;

/** What the samples, and what is known of objects otherwise, say of members of each name: of each kind, and of all. */
const told = (() => {
  const found = new Map<string, Map<string, Set<Json>>>();
  for (const [kind, said] of everySaid()) {
    for (const key of [kind.replace(/\..*/, ''), '']) {
      const known = found.get(key) ?? new Map<string, Set<Json>>();
      found.set(key, known);
      collect(said, '', known);
    }
  }
  return found as ReadonlyMap<string, Told>;
})();

function collect(value: Json, name: string, found: Map<string, Set<Json>>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, name, found);
  else if (value !== null && typeof value === 'object')
    for (const [member, inner] of Object.entries(value)) collect(inner, member, found);
  else if (typeof value === 'string' || typeof value === 'number') {
    const known = found.get(name) ?? new Set();
    found.set(name, known.add(value));
  }
}

/** Of samples of another kind. */
const mostOfOthers = 8;

/**
 * Words and numbers that members of this name have in samples of a kind, and some of those of other kinds: many mean
 * something, and no schema tells of them.
 */
export function toldOf(kind: string, member: string, type: 'string' | 'number'): readonly Json[] {
  const [own, all] = [kind, ''].map((key) =>
    [...(told.get(key)?.get(member) ?? [])].filter((value) => typeof value === type),
  ) as [Json[], Json[]];
  return [...own, ...all.filter((value) => !own.includes(value)).slice(0, mostOfOthers)];
}

/** Texts that members of this name have in samples of a kind. */
export const ownTold = (kind: string, member: string): readonly string[] =>
  [...(told.get(kind)?.get(member) ?? [])].filter((value) => typeof value === 'string');
