import type { Json } from '../../../verbs/client.ts';
import { objectOf } from '../../samples/objects.ts';
import type { KindStory } from '../story.ts';
import { dry } from './life.ts';

/** An entry like this one by another name, as far as it has one. */
export const likeIt = (entry: Json): Json =>
  entry !== null && typeof entry === 'object'
    ? Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, otherThan(name, value)]))
    : `${entry}-more`;

function otherThan(name: string, value: Json): Json {
  if ((name === 'name' || name === 'mountPath') && typeof value === 'string') return `${value}-more`;
  return /port$/i.test(name) && typeof value === 'number' ? value + 1 : value;
}

/** The object with one entry more in each of its lists, or with one less. */
function withLists(value: Json, change: (list: readonly Json[]) => Json[]): Json {
  if (Array.isArray(value)) return change(value.map((item) => withLists(item, change)));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withLists(member, change)]));
}

/** Entries of lists that one manager or two hold are given up, one after another. */
export function entriesGivenUp(at: KindStory): void {
  const { metadata, ...object } = objectOf(at.kind, 'a');
  const full = { ...object, metadata: { ...metadata, finalizers: ['touchstone.example/hold'] } };
  const bare = { ...object, metadata: { name: metadata.name } };
  const longer = withLists(full, (list) => (list.length === 0 ? [] : [...list, likeIt(list.at(-1))]));
  const shorter = withLists(bare, (list) => list.slice(0, 1));
  for (const [manager, wanted] of [
    ['alice', full],
    ['alice', longer],
    ['bob', bare],
    ['alice', shorter],
    ['bob', shorter],
    ['alice', longer],
    ['bob', longer],
    ['bob', { apiVersion: object['apiVersion'], kind: object['kind'], metadata: { name: metadata.name } }],
    ['alice', bare],
  ] as const) {
    at.apply('a', wanted, manager, dry);
    at.apply('a', wanted, manager, { query: { force: 'true' } });
    at.get('a');
  }
  at.patch('a', 'merge', { metadata: { finalizers: null } });
}
