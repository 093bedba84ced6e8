import type { Json } from '../../../verbs/client.ts';
import { nameOf, objectOf } from '../../samples/objects.ts';
import { dryBeside, type KindStory, type StepParts } from '../story.ts';

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: 'some' };
const long = 'x'.repeat(300);

/** What a client may write into metadata, good and odd. */
const variants: readonly Json[] = [
  { generateName: 'made-' },
  { name: null, generateName: 'made-' },
  { name: null },
  { name: '' },
  ...[
    'Upper',
    'a_b',
    '-a',
    'a-',
    'a.b',
    'a/b',
    'a%b',
    '..',
    '.',
    `a${long}`,
    'a'.repeat(63),
    'a'.repeat(64),
    'a'.repeat(253),
    'a:b',
    '1a',
    'ä',
  ].map((name) => ({ name })),
  { name: null, generateName: 'Upper-' },
  { name: null, generateName: `a${long}` },
  { name: null, generateName: '' },
  { namespace: 'elsewhere' },
  { namespace: '' },
  { uid: '00000000-1111-2222-3333-444444444444' },
  ...['12', 'none', '0', '00', '012', '+1', '-1', '1.0', ' 1', '18446744073709551615', '18446744073709551616'].map(
    (resourceVersion) => ({ resourceVersion }),
  ),
  { generation: 7 },
  { creationTimestamp: '2020-01-01T00:00:00Z' },
  { creationTimestamp: 'yesterday' },
  { deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 },
  { selfLink: '/some/where' },
  { labels: null },
  { labels: { 'a b': 'c' } },
  { labels: { a: 'b c' } },
  { labels: { a: long } },
  { labels: { [long]: 'a' } },
  { labels: { 'example.com/a': 'b', 'Example_com/a': 'b' } },
  { labels: { '': 'a' } },
  { labels: { a: 5 } },
  { labels: { a: null } },
  { labels: [] },
  { annotations: { 'a b': 'c' } },
  { annotations: { 'UPPER.example.com/Name': 'anything at all' } },
  { annotations: { a: 'ä'.repeat(135_000) } },
  { annotations: { a: null } },
  { finalizers: ['plain'] },
  { finalizers: ['example.com/one', 'example.com/one'] },
  { finalizers: ['not good/'] },
  { finalizers: ['orphan', 'foregroundDeletion'] },
  { ownerReferences: [owner] },
  { ownerReferences: [{ ...owner, uid: '' }] },
  { ownerReferences: [{ ...owner, name: '' }] },
  { ownerReferences: [{ ...owner, kind: '' }] },
  { ownerReferences: [{ ...owner, apiVersion: '' }] },
  { ownerReferences: [owner, owner] },
  { ownerReferences: [owner, { ...owner, blockOwnerDeletion: true }] },
  { ownerReferences: [owner, { ...owner, name: 'other' }, owner] },
  {
    ownerReferences: [
      { ...owner, controller: true },
      { ...owner, uid: 'other', controller: true },
    ],
  },
  { ownerReferences: [{ ...owner, kind: 'Event', apiVersion: 'v1' }] },
  { ownerReferences: [{ ...owner, blockOwnerDeletion: true, controller: false }] },
  { ownerReferences: [{ ...owner, blockOwnerDeletion: false }] },
  { managedFields: [{ manager: 'me', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }] },
  { managedFields: [{ manager: 'me', operation: 'Nothing' }] },
  { clusterName: 'here' },
  { generation: -1 },
  { generateName: 'Upper-' },
  { creationTimestamp: null, deletionGracePeriodSeconds: 0 },
  { name: null, generateName: `${'a'.repeat(57)}-` },
  ...['', '-', 'x'.repeat(63), 'x'.repeat(64)].map((value) => ({ labels: { a: value } })),
  ...['/a', 'example.com/', 'a/b/c', 'Example.com/A', 'a'.repeat(64)].map((key) => ({ labels: { [key]: 'b' } })),
  ...['a/b/c', 'example.com/', 'A'.repeat(64)].map((key) => ({ annotations: { [key]: 'b' } })),
  { annotations: { a: '' } },
  { labels: {}, annotations: {}, finalizers: [], ownerReferences: [], managedFields: [] },
  { finalizers: [''] },
  { finalizers: ['kubernetes', 'example.com/one', 'orphan'] },
  { ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] },
  { ownerReferences: [{ ...owner, controller: true }, owner] },
];

/** Every variant by create and by update, and the forms of the body around it. */
export function metadata(at: KindStory): void {
  const object = objectOf(at.kind, 'b');
  const parts = dryBeside;
  const first = at.create(objectOf(at.kind, 'a'));
  for (const variant of variants) at.create({ ...object, metadata: { ...object.metadata, ...variant } }, parts);
  for (const variant of variants.slice(1)) at.put('a', { answerOf: first, merge: { metadata: variant } }, parts);
  for (const variant of variants.slice(20)) at.patch('a', 'merge', { metadata: variant }, parts);
  const heads: readonly Json[] = [
    { apiVersion: null },
    { kind: null },
    { apiVersion: 'v9' },
    { kind: 'Nothing' },
    { apiVersion: '', kind: '' },
  ];
  for (const head of heads) {
    at.create({ ...object, ...head }, parts);
    at.put('a', { answerOf: first, merge: head }, parts);
    for (const type of ['merge', 'strategic'] as const) at.patch('a', type, head, parts);
  }
  misdirected(at, object, first, parts);
  going(at, parts);
}

const onTheWay: readonly Json[] = [
  ...[null, '2020-01-01T00:00:00Z'].map((deletionTimestamp) => ({ deletionTimestamp })),
  ...[null, 0, 7].map((deletionGracePeriodSeconds) => ({ deletionGracePeriodSeconds })),
  { deletionTimestamp: null, deletionGracePeriodSeconds: null },
  { finalizers: ['touchstone.example/hold', 'touchstone.example/hold'] },
  { finalizers: ['touchstone.example/other'] },
  { finalizers: [] },
  { generation: 70, creationTimestamp: '2020-01-01T00:00:00Z' },
  { labels: null, annotations: { late: 'yes' } },
  { ownerReferences: [owner, owner] },
];

/** What may be written of an object that is deleted, and held. */
function going(at: KindStory, parts: StepParts): void {
  at.create(objectOf(at.kind, 'g'));
  at.patch('g', 'merge', { metadata: { finalizers: ['touchstone.example/hold'] } });
  at.delete('g');
  const there = at.get('g');
  for (const metadata of onTheWay) {
    at.patch('g', 'merge', { metadata }, parts);
    at.put('g', { answerOf: there, merge: { metadata } }, parts);
  }
  at.patch('g', 'merge', { metadata: { finalizers: null } });
}

/** Sent elsewhere than it says. */
function misdirected(at: KindStory, object: Json, first: string, parts: StepParts): void {
  at.create({ ...object, metadata: { ...object.metadata, namespace: '<own>-2' } }, parts);
  at.put('b', { answerOf: first }, parts);
  at.put('b', { answerOf: first, merge: { metadata: { name: nameOf(at.kind, 'b') } } }, parts);
  at.put(
    'b',
    { answerOf: first, merge: { metadata: { name: nameOf(at.kind, 'b'), uid: null, resourceVersion: null } } },
    parts,
  );
  at.put('b', { answerOf: first, merge: { metadata: { name: nameOf(at.kind, 'b'), uid: null } } }, parts);
  at.put('b', { json: { ...object, metadata: { ...object.metadata, generateName: 'made-' } } }, parts);
  generated(at, object);
}

/** Names that the server makes up, and objects that keep what nobody may change. */
function generated(at: KindStory, object: Json): void {
  if (at.kind.namespaced) {
    const made = at.create({ ...object, metadata: { generateName: 'made-', labels: { app: '<own>' } } });
    at.story.add(`get ${at.label}`, 'GET', `${at.collection(1)}/<${made}:metadata.name>`);
    at.create({ ...object, metadata: { ...object.metadata, generateName: 'made-', annotations: { kept: 'yes' } } });
    at.create(object, {}, 9);
    at.list({}, 9);
  }
  // What a rehearsal lets pass may be refused.
  for (const [number, resourceVersion] of ['012', '00', 'none'].entries()) {
    const versioned = objectOf(at.kind, `v${number}`);
    at.create({ ...versioned, metadata: { ...versioned.metadata, resourceVersion } });
  }
  const stored = at.get('a');
  at.put('a', {
    answerOf: stored,
    merge: {
      metadata: {
        creationTimestamp: '2020-01-01T00:00:00Z',
        generation: 70,
        selfLink: '/x',
        deletionGracePeriodSeconds: 4,
        annotations: { kept: 'yes' },
      },
    },
  });
  at.get('a');
}
