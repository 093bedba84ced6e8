import type { Json } from '../../../verbs/client.ts';
import { objectOf } from '../../samples/objects.ts';
import { dry, type KindStory } from '../story.ts';
import { likeIt, withLists } from './entries.ts';

const finalizers = ['one', 'two', 'three'].map((word) => `touchstone.example/${word}`);

/** Parts of an object that hold others, by their paths. */
function* holdersOf(value: Json, path: readonly string[] = []): Generator<readonly string[]> {
  if (value === null || typeof value !== 'object') return;
  if (path.length > 0) yield path;
  if (Array.isArray(value)) return;
  for (const [name, member] of Object.entries(value)) yield* holdersOf(member, [...path, name]);
}

/** The object with this part of it empty. */
function emptied(value: Json, [name, ...path]: readonly string[]): Json {
  if (name === undefined) return Array.isArray(value) ? [] : {};
  return { ...value, [name]: emptied(value[name], path) };
}

const mostEmptied = 10;

/** What is applied with nothing in it, beside what others hold of it or alone, and given up again. */
export function emptiedParts(at: KindStory): void {
  const { apiVersion, kind, metadata, ...parts } = objectOf(at.kind, 'a');
  const { name } = metadata;
  const head = { apiVersion, kind, metadata: { name } };
  const forced = { query: { force: 'true' } };
  at.apply('a', { ...head, metadata: { name, labels: {}, annotations: {}, finalizers: [] }, ...parts }, 'alice');
  at.get('a');
  for (const path of [...holdersOf(parts)].slice(0, mostEmptied)) {
    const less = { ...head, ...emptied(parts, path) };
    at.apply('a', less, 'alice', { query: { ...dry.query, force: 'true' } });
    at.apply('a', less, 'bob', { query: { ...dry.query, force: 'true' } });
    at.apply('a', less, 'alice', forced);
    at.get('a');
    at.apply('a', { ...head, ...parts }, 'alice', forced);
  }
  at.patch('a', 'merge', { metadata: { labels: {}, annotations: {} } });
  at.apply('a', head, 'alice', dry);
  at.get('a');
}

const turned = (list: readonly Json[]): Json[] => [...list.slice(1), ...list.slice(0, 1)];

/** Entries of lists come in another order, or before those that are there, by whom they belong to and by others. */
export function rearranged(at: KindStory): void {
  const { metadata, ...object } = objectOf(at.kind, 'a');
  const having = (list: readonly (string | undefined)[], change: (list: readonly Json[]) => Json[]): Json => ({
    ...withLists(object, change),
    metadata: { name: metadata.name, finalizers: list },
  });
  const [one, two, three] = finalizers;
  const longer = (list: readonly Json[]): Json[] => (list.length === 0 ? [] : [...list, likeIt(list.at(-1))]);
  for (const [manager, wanted] of [
    ['alice', having([one, two], (list) => [...list])],
    ['alice', having([two, one], (list) => list.toReversed())],
    ['bob', having([three], (list) => longer(list).reverse())],
    ['alice', having([one, two], turned)],
    ['bob', having([three, one], longer)],
    ['carol', having([two, three], (list) => turned(longer(list)))],
    ['bob', having([], (list) => list.slice(-1))],
  ] as const) {
    at.apply('a', wanted, manager, { query: { force: 'true' } });
    at.get('a');
  }
  at.patch('a', 'merge', { metadata: { finalizers: null } });
}
