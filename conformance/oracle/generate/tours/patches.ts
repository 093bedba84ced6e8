import type { Json } from '../../../verbs/client.ts';
import { isCustom } from '../../oracle-kind.ts';
import { objectOf } from '../../samples/objects.ts';
import { dry, type KindStory } from '../story.ts';

const [notes, holds] = ['/metadata/annotations', '/metadata/finalizers'];
const [one, two, three] = ['one', 'two', 'three'].map((word) => `touchstone.example/${word}`);

/** More entries than one would move each time. */
const crowd = Array.from({ length: 1100 }, (_, at) => `touchstone.example/${at}`);

/** Each by itself, one after another: every operation on a map and on a list, where it holds and where it does not. */
const jsonPatches: readonly Json[] = [
  [{ op: 'add', path: notes, value: { 'a/b': '1', one: '1', two: '2' } }],
  [{ op: 'move', from: `${notes}/one`, path: `${notes}/moved` }],
  [{ op: 'copy', from: `${notes}/two`, path: `${notes}/copied` }],
  [{ op: 'test', path: `${notes}/a~01b`, value: '1' }],
  [{ op: 'remove', path: `${notes}/a~1b` }],
  // Maps are alike in whatever order, and a copy goes its own way.
  [
    { op: 'replace', path: notes, value: { c: '3', a: '1', b: '2' } },
    { op: 'test', path: notes, value: { b: '2', a: '1', c: '3' } },
    { op: 'test', path: notes, value: { a: '1', c: '3', b: '2' } },
    { op: 'copy', from: '/metadata/labels', path: notes },
    { op: 'add', path: `${notes}/two`, value: '2' },
  ],
  // No name of a note has a tilde: it is gone before the end.
  [
    { op: 'add', path: `${notes}/c~0d`, value: '2' },
    { op: 'replace', path: `${notes}/c~0d`, value: '3' },
    { op: 'test', path: `${notes}/c~0d`, value: '3' },
    { op: 'move', from: `${notes}/c~0d`, path: `${notes}/tilde` },
  ],
  [{ op: 'replace', path: `${notes}/~01`, value: '3' }],
  [{ op: 'remove', path: `${notes}/never` }],
  [{ op: 'move', from: `${notes}/never`, path: `${notes}/two` }],
  [{ op: 'copy', from: `${notes}/never`, path: `${notes}/two` }],
  [{ op: 'add', path: `${notes}/two`, value: 'over' }],
  [{ op: 'add', path: `${notes}/deep/er`, value: 'x' }],
  [{ op: 'test', path: `${notes}/two`, value: 'over' }],
  [{ op: 'test', path: `${notes}/two`, value: 'other' }],
  [{ op: 'test', path: `${notes}/never`, value: null }],
  [
    { op: 'add', path: `${notes}/half`, value: 'done' },
    { op: 'test', path: `${notes}/two`, value: 'other' },
  ],
  [{ op: 'add', path: holds, value: [one] }],
  [{ op: 'add', path: `${holds}/-`, value: two }],
  [{ op: 'add', path: `${holds}/0`, value: three }],
  [{ op: 'test', path: holds, value: [three, one, two] }],
  [{ op: 'test', path: holds, value: [one, two, three] }],
  [{ op: 'move', from: `${holds}/0`, path: `${holds}/2` }],
  [{ op: 'replace', path: `${holds}/1`, value: three }],
  [{ op: 'copy', from: `${holds}/0`, path: `${notes}/first` }],
  [{ op: 'remove', path: `${holds}/1` }],
  ...['9', '-', '-1', '+0', '01', 'x', ''].flatMap((place) => [
    [{ op: 'remove', path: `${holds}/${place}` }],
    [{ op: 'add', path: `${holds}/${place}`, value: one }],
    [{ op: 'replace', path: `${holds}/${place}`, value: one }],
  ]),
  [
    { op: 'replace', path: holds, value: crowd },
    { op: 'remove', path: `${holds}/0` },
    { op: 'add', path: `${holds}/500`, value: two },
    { op: 'test', path: `${holds}/500`, value: two },
    { op: 'test', path: holds, value: crowd.slice(1).toSpliced(500, 0, two as string) },
    { op: 'copy', from: `${holds}/501`, path: `${notes}/amid` },
    { op: 'replace', path: holds, value: [one] },
  ],
  [{ op: 'remove', path: holds }],
  [{ op: 'other', path: notes }],
  [{ op: 'add', path: 'no-slash', value: 1 }],
  [{ op: 'add', path: `${notes}/none` }],
  [{ op: 'move', path: `${notes}/none` }],
  [{ op: 'replace', path: '', value: {} }],
  ...['text', null, []].map((value) => [{ op: 'replace', path: '', value }]),
  ...['add', 'remove', 'move', 'copy', 'test'].map((op) => [{ op, path: '', from: notes, value: {} }]),
  [{ op: 'copy', path: `${notes}/none` }],
  [{ op: 5, path: notes }],
  [{ op: 'test', path: 5 }],
  [{ op: 'copy', from: [], path: notes }],
  [5],
  ['text'],
  [[]],
  [{ op: 'add', path: `${notes}/more`, value: 'more', other: 1, Op: 'remove' }],
  [{ op: 'test', path: `${notes}/more`, value: 1 }],
  [{ op: 'test', path: '/metadata/generation/none', value: null }],
  [{ op: 'add', path: `${notes}/more/0`, value: 'a' }],
  [{ op: 'move', from: notes, path: `${notes}/into` }],
  [{ op: 'move', from: `${notes}/two`, path: `${notes}/two` }],
  [{ path: notes }],
  [],
  {},
  null,
  [null],
  Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'none' })),
];

const mergePatches: readonly Json[] = [
  { metadata: { annotations: { one: '1', two: null, three: '3' } } },
  { metadata: { annotations: { one: null, never: null } } },
  { metadata: { annotations: { deep: { er: 'x' } } } },
  { metadata: { annotations: [] } },
  { metadata: { finalizers: [one, two] } },
  { metadata: { finalizers: [two] } },
  { metadata: { finalizers: [null] } },
  { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'a', controller: null }] } },
  { metadata: { ownerReferences: null } },
  { metadata: { finalizers: [] } },
  { metadata: { annotations: null } },
  { metadata: null },
  {},
  [],
  null,
];

/** Nulls in what a custom type does not know, which is kept as it is. */
const unknownParts: readonly Json[] = [
  { spec: { free: { list: [{ gone: null, kept: 1 }, null, [null]], gone: null, map: { gone: null } } } },
  { spec: { free: { map: { gone: null, list: [null] } } } },
];

/** What the operations of patches do, in every place where they may be. */
export function patches(at: KindStory): void {
  at.create(objectOf(at.kind, 'a'));
  for (const patch of jsonPatches) at.patch('a', 'json', patch);
  at.get('a');
  for (const patch of mergePatches) {
    at.patch('a', 'merge', patch, dry);
    at.patch('a', 'merge', patch);
    at.patch('a', 'strategic', patch, dry);
  }
  for (const patch of isCustom(at.kind) ? unknownParts : []) at.patch('a', 'merge', patch);
  at.get('a');
}
