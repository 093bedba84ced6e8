import type { Json } from '../../../verbs/client.ts';
import { isMap } from '../../../verbs/json.ts';
import { isCustom } from '../../oracle-kind.ts';
import { objectOf } from '../../samples/objects.ts';
import { dry, type KindStory } from '../story.ts';
import { keysOf, likeIt } from './entries.ts';

const [held, more, third] = ['hold', 'more', 'third'].map((word) => `touchstone.example/${word}`);

const ownerOf = (uid: string): Json => ({ apiVersion: 'v1', kind: 'ConfigMap', name: `of-${uid}`, uid });

/** What every kind has: a map, a list of plain values, and a list whose entries have a key. */
const general: readonly Json[] = [
  { labels: { one: '1', two: '2' }, annotations: { one: '1', two: '2' } },
  { labels: { $patch: 'replace', app: '<own>', three: '3' } },
  { annotations: { $retainKeys: ['two', 'three'], three: '3', two: '2' } },
  { annotations: { $retainKeys: ['two'], three: '3' } },
  { annotations: { $retainKeys: ['two'], two: '2', three: null } },
  { annotations: { $patch: 'delete' } },
  { annotations: { $patch: 'merge', four: '4' } },
  { annotations: { $patch: 'none', five: '5' } },
  { finalizers: [held, more] },
  { finalizers: [third], '$setElementOrder/finalizers': [third, held, more] },
  { '$setElementOrder/finalizers': [more, held, third] },
  { '$setElementOrder/finalizers': [], finalizers: [third, held] },
  { '$setElementOrder/finalizers': [held, more], finalizers: null },
  { finalizers: [held, more] },
  { '$setElementOrder/finalizers': 'no list' },
  { '$setElementOrder/finalizers': [held], finalizers: 'no list' },
  { '$setElementOrder/finalizers': [held], finalizers: { held } },
  { '$setElementOrder/labels': ['one'] },
  { '$setElementOrder/labels': ['one'], labels: { one: '1' } },
  { '$setElementOrder/annotations': [{ two: '2' }], annotations: null },
  { '$deleteFromPrimitiveList/finalizers': [held] },
  { '$deleteFromPrimitiveList/finalizers': [more, 'touchstone.example/never'], finalizers: [held] },
  { '$deleteFromPrimitiveList/finalizers': 'no list' },
  { ownerReferences: [ownerOf('a'), ownerOf('b'), ownerOf('c')] },
  { ownerReferences: [{ $patch: 'delete', uid: 'b' }] },
  {
    '$setElementOrder/ownerReferences': [{ uid: 'c' }, { uid: 'a' }],
    ownerReferences: [{ uid: 'a', name: 'renamed' }],
  },
  { '$setElementOrder/ownerReferences': [{ uid: 'c' }], ownerReferences: [{ uid: 'a', name: 'again' }] },
  { ownerReferences: [{ $patch: 'replace' }, ownerOf('d')] },
  { ownerReferences: [{ $patch: 'delete' }] },
  { ownerReferences: [{ $patch: 'delete', uid: 'd' }] },
  { finalizers: [{ $patch: 'replace' }] },
  // What means nothing, or stands where it does not belong.
  { annotations: { $retainKeys: 'no list' } },
  { annotations: { $retainKeys: [] } },
  { annotations: { $patch: 5 } },
  { annotations: { $patch: { a: 'b' } } },
  { $deleteFromPrimitiveList: ['a'] },
  { $setElementOrder: ['a'] },
  { '$setElementOrder/none': ['a'] },
  { '$deleteFromPrimitiveList/none': ['a'] },
  { '$deleteFromPrimitiveList/annotations': ['one'] },
  { '$deleteFromPrimitiveList/ownerReferences': [{ uid: 'd' }] },
  { '$setElementOrder/finalizers': [held, 5], finalizers: [held] },
  { '$setElementOrder/finalizers': [held, more], finalizers: [more, held] },
  {
    '$setElementOrder/ownerReferences': [{ uid: 'd' }],
    ownerReferences: [{ $patch: 'delete', uid: 'c' }, ownerOf('d')],
  },
  { '$setElementOrder/ownerReferences': ['d'], ownerReferences: [ownerOf('d')] },
  { ownerReferences: [{ name: 'without a key' }] },
  { ownerReferences: [{ $patch: 'merge', ...ownerOf('d') }] },
  { ownerReferences: [{ $patch: 'none', uid: 'd' }] },
  { ownerReferences: [{ $retainKeys: ['uid'], uid: 'd' }] },
  { ownerReferences: ['text'] },
  { ownerReferences: [null] },
  { ownerReferences: [] },
  { ownerReferences: [ownerOf('e'), ownerOf('e')] },
  { finalizers: [held, held] },
  { finalizers: [[held]] },
  { finalizers: [null] },
  { $patch: 'delete' },
  { finalizers: null, ownerReferences: null },
  { '$setElementOrder/finalizers': [more, held], finalizers: [held, more] },
  { '$setElementOrder/finalizers': [held], finalizers: null },
];

/** The lists of an object, by their paths. */
function* listsOf(value: Json, path: readonly string[] = []): Generator<readonly [readonly string[], Json[]]> {
  if (Array.isArray(value)) yield [path, value];
  else if (value !== null && typeof value === 'object')
    for (const [name, member] of Object.entries(value)) yield* listsOf(member, [...path, name]);
}

/** An object that has nothing but this list, with the directives beside it. */
const within = ([name = '', ...path]: readonly string[], parts: (name: string) => Json): Json =>
  path.length === 0 ? parts(name) : { [name]: within(path, parts) };

/** With null for the first member of each innermost map: what is new has nothing that could be taken away. */
function hollow(value: Json): Json {
  if (!isMap(value)) return value;
  const members = Object.entries<Json>(value);
  const isInnermost = members.every(([, member]) => !isMap(member));
  return Object.fromEntries(
    members.map(([name, member], at) => [
      name,
      isMap(member) ? hollow(member) : isInnermost && at === 0 ? null : member,
    ]),
  );
}

/** Directives for each list that the kind has of its own, the outermost first. */
function listPatches(object: Json): readonly Json[] {
  const { apiVersion: _, kind: __, metadata: ___, ...parts } = object;
  return [...listsOf(parts)].slice(0, mostLists).flatMap(([path, list]) => {
    const [first] = list;
    const added = likeIt(first);
    return [
      within(path, (name) => ({ [name]: [hollow(likeIt(added))] })),
      within(path, (name) => ({ [name]: [added] })),
      within(path, (name) => ({ [`$setElementOrder/${name}`]: [keysOf(added), keysOf(first)] })),
      within(path, (name) =>
        typeof first === 'object'
          ? { [name]: [{ $patch: 'delete', ...keysOf(first) }] }
          : { [`$deleteFromPrimitiveList/${name}`]: [first] },
      ),
      within(path, (name) => ({ [name]: [{ $patch: 'replace' }, added] })),
      within(path, (name) => ({ [name]: [first] })),
    ];
  });
}

const mostLists = 4;

/** What a strategic merge patch may say besides values: each directive as a rehearsal, for real, and looked at. */
export function directives(at: KindStory): void {
  const object = objectOf(at.kind, 'a');
  at.create(object);
  // Custom types know no such patches, whatever they say.
  for (const metadata of isCustom(at.kind) ? general.slice(0, 1) : general) at.patch('a', 'strategic', { metadata });
  for (const patch of isCustom(at.kind) ? [] : listPatches(object)) {
    at.patch('a', 'strategic', patch, dry);
    at.patch('a', 'strategic', patch);
  }
  at.patch('a', 'strategic', { metadata: { $retainKeys: ['name'], name: object.metadata.name } });
  at.patch('a', 'strategic', { $patch: 'replace', metadata: object.metadata });
  at.get('a');
}
