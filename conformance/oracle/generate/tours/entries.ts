import type { Json } from '../../../verbs/client.ts';
import { merged } from '../../play/request.ts';
import { objectOf } from '../../samples/objects.ts';
import { dry, type KindStory } from '../story.ts';

/** An entry like this one by another name, as far as it has one. */
export const likeIt = (entry: Json): Json =>
  entry !== null && typeof entry === 'object'
    ? Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, otherThan(name, value)]))
    : `${entry}-more`;

function otherThan(name: string, value: Json): Json {
  if ((name === 'name' || name === 'mountPath') && typeof value === 'string') return `${value}-more`;
  return /port$/i.test(name) && typeof value === 'number' ? value + 1 : value;
}

/** The same with another value in each place, of the same sort and form; bytes and what tells entries apart stay as they are. */
export function saidOtherwise(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string')
    return /^\d/.test(value)
      ? `${(Number(value[0]) % 9) + 1}${value.slice(1)}`
      : value.endsWith('=')
        ? value
        : `${value}-more`;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value))
    return value.map((item) => (isPlain(item) ? item : { ...saidOtherwise(item), ...keysIn(item) }));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, saidOtherwise(member)]));
}

const isPlain = (value: Json): boolean => value === null || typeof value !== 'object';

/**
 * Strategic merge patches of the first entry of each list, with one member said otherwise: which of them makes it
 * another entry is told by nothing but the list's key.
 */
export function* entriesOtherwise(value: Json): Generator<Json> {
  if (isPlain(value)) return;
  const [first] = Array.isArray(value) ? value : [value];
  const inList = (entry: Json): Json => (Array.isArray(value) ? [entry] : entry);
  for (const [name, member] of isPlain(first) ? [] : Object.entries<Json>(first)) {
    if (Array.isArray(value) && isPlain(member)) yield [{ ...first, [name]: saidOtherwise(member) }];
    const around = Array.isArray(value) ? keysOf(first) : {};
    for (const inner of entriesOtherwise(member)) yield inList({ ...around, [name]: inner });
  }
}

const keys: readonly string[] = ['name', 'key', 'containerPort', 'port', 'type', 'ip', 'mountPath'];

/** What tells an entry from others; a list of plain values has none. */
export const keysOf = (entry: Json): Json => {
  if (isPlain(entry)) return entry;
  const known = keys.find((name) => name in entry);
  return known === undefined ? {} : { [known]: entry[known] };
};

const keysIn = (entry: Json): Json =>
  Object.fromEntries([...keys, 'protocol'].filter((name) => name in entry).map((name) => [name, entry[name]]));

/** The object with one entry more in each of its lists, or with one less. */
export function withLists(value: Json, change: (list: readonly Json[]) => Json[]): Json {
  if (Array.isArray(value)) return change(value.map((item) => withLists(item, change)));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withLists(member, change)]));
}

const mostLists = 4;

/** JSON patches that say something else of the last entry of each list of objects, but for what tells it from others. */
function* lastEntriesOtherwise(value: Json, path = ''): Generator<Json> {
  if (isPlain(value)) return;
  if (!Array.isArray(value)) {
    for (const [name, member] of Object.entries<Json>(value)) yield* lastEntriesOtherwise(member, `${path}/${name}`);
    return;
  }
  const last = value.at(-1);
  if (isPlain(last)) return;
  const own = Object.keys(last).find((name) => typeof last[name] === 'string' && !(name in keysIn(last)));
  const at = `${path}/${value.length - 1}`;
  if (own !== undefined) yield [{ op: 'replace', path: `${at}/${own}`, value: saidOtherwise(last[own]) }];
}

/** Entries of lists that one manager or two hold are given up, one after another. */
export function entriesGivenUp(at: KindStory): void {
  const { metadata, ...object } = objectOf(at.kind, 'a');
  const full = { ...object, metadata: { ...metadata, finalizers: ['touchstone.example/hold'] } };
  const bare = { ...object, metadata: { name: metadata.name } };
  const longer = withLists(full, (list) => (list.length === 0 ? [] : [...list, likeIt(list.at(-1))]));
  const shorter = withLists(bare, (list) => list.slice(0, 1));
  const head = { apiVersion: object['apiVersion'], kind: object['kind'], metadata: { name: metadata.name } };
  for (const [manager, wanted] of [
    ['alice', full],
    ['alice', longer],
    ['bob', bare],
    ['alice', shorter],
    ['bob', shorter],
    ['alice', longer],
    ['bob', longer],
    ['bob', head],
    ['alice', bare],
  ] as const) {
    at.apply('a', wanted, manager, dry);
    at.apply('a', wanted, manager, { query: { force: 'true' } });
    at.get('a');
  }
  // Who wrote into an entry does not hold it when its owner gives it up.
  at.apply('a', merged(longer, { metadata: { finalizers: null } }), 'alice', { query: { force: 'true' } });
  for (const patch of [...lastEntriesOtherwise(longer)].slice(0, mostLists))
    at.patch('a', 'json', patch, { query: { fieldManager: 'dave' } });
  at.get('a');
  for (const wanted of [shorter, head]) {
    at.apply('a', wanted, 'alice', { query: { force: 'true' } });
    at.get('a');
  }
  at.patch('a', 'merge', { metadata: { finalizers: null } });
}
