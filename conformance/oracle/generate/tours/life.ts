import type { Json } from '../../../verbs/client.ts';
import type { PatchType } from '../../../verbs/patch-types.ts';
import { objectOf, sampleOf } from '../../samples/objects.ts';
import { inForm } from '../forms.ts';
import { dry, type KindStory } from '../story.ts';

const labelled = (value: string): Json => ({ metadata: { labels: { touched: value } } });

const labelPatch = (type: PatchType, value: string): Json =>
  type === 'json' ? [{ op: 'add', path: '/metadata/labels/touched', value }] : labelled(value);

export const patchKinds = ['json', 'merge', 'strategic'] as const satisfies readonly PatchType[];

/** Through every verb once as a rehearsal and once for real, each followed by a look. */
export function life(at: KindStory): void {
  const object = objectOf(at.kind, 'a');
  const first = made(at, object);
  at.put('a', { answerOf: first, merge: labelled('dry') }, dry);
  at.get('a');
  at.put('a', { answerOf: first, merge: labelled('put') });
  at.get('a');
  at.put('a', { answerOf: first, merge: labelled('stale') });
  at.put('a', { answerOf: first, merge: { metadata: { resourceVersion: null, labels: { touched: 'free' } } } });
  at.put('a', {
    answerOf: first,
    merge: { metadata: { resourceVersion: null, uid: '00000000-1111-2222-3333-444444444444' } },
  });
  patchedAndDeleted(at, object);
}

/** Gives the step that is answered the new object. */
function made(at: KindStory, object: Json): string {
  // Its namesake stays as it is, whatever becomes of this one.
  if (at.kind.namespaced) at.create(objectOf(at.kind, 'a', { elsewhere: 'yes' }), {}, 2);
  at.create(object, dry);
  at.get('a');
  at.create(object);
  at.create(object);
  at.create(object, dry);
  return at.get('a');
}

function patchedAndDeleted(at: KindStory, object: Json): void {
  for (const type of patchKinds) {
    at.patch('a', type, labelPatch(type, `dry-${type}`), dry);
    at.get('a');
    at.patch('a', type, labelPatch(type, type));
    at.get('a');
  }
  at.apply('a', { ...head(at), metadata: { name: object.metadata.name, labels: { applied: 'yes' } } }, 'alice', dry);
  at.get('a');
  at.apply('a', { ...head(at), metadata: { name: object.metadata.name, labels: { applied: 'yes' } } }, 'alice');
  at.delete('a', dry);
  at.get('a');
  const seen = at.get('a');
  for (const preconditions of [
    { uid: `<${seen}:metadata.uid>` },
    { resourceVersion: `<${seen}:metadata.resourceVersion>` },
    { uid: 'none' },
  ])
    at.delete('a', { body: { json: deleteOptions({ dryRun: ['All'], preconditions }) } });
  at.get('a');
  at.delete('a');
  at.get('a');
  afterwards(at, object);
}

const head = ({ kind }: KindStory): Json => ({ apiVersion: objectOf(kind, 'a').apiVersion, kind: kind.kind });

/** What is gone is gone, and what comes again is new. */
function afterwards(at: KindStory, object: Json): void {
  at.delete('a');
  at.put('a', { json: object });
  for (const type of patchKinds) at.patch('a', type, labelPatch(type, type));
  at.create({ ...object, metadata: { ...object.metadata, resourceVersion: '1' } });
  const again = at.create(object);
  at.get('a');
  at.put('a', { answerOf: again, merge: labelled('again') });
  at.get('a', { query: { resourceVersion: '0' } });
  at.delete('a', { body: { json: deleteOptions({ preconditions: { uid: '00000000-1111-2222-3333-444444444444' } }) } });
  at.delete('a', {
    body: { json: deleteOptions({ preconditions: { resourceVersion: `<${again}:metadata.resourceVersion>` } }) },
  });
  at.delete('a', {
    body: { json: deleteOptions({ preconditions: { uid: `<${again}:metadata.uid>`, resourceVersion: '1' } }) },
  });
  at.delete('a', {
    body: { json: deleteOptions({ preconditions: { uid: `<${again}:metadata.uid>` }, gracePeriodSeconds: 0 }) },
  });
  at.get('a');
  if (at.kind.namespaced) at.get('a', {}, '', 2);
}

export const deleteOptions = (more: Json = {}): Json => ({ apiVersion: 'v1', kind: 'DeleteOptions', ...more });

/** What it asks for is changed, its status is told by the wrong door, and its generation is looked at. */
export function changes(at: KindStory): void {
  const { change = labelled('changed'), status = { status: { touched: 'yes' } } } = sampleOf(at.kind) ?? {};
  const object = objectOf(at.kind, 'a');
  at.create({ ...object, ...status }, dry);
  const first = at.create(object);
  at.put('a', { answerOf: first, merge: change }, dry);
  at.put('a', { answerOf: first, merge: change });
  const second = at.get('a');
  // Which changes nothing, whenever it is.
  at.put('a', { answerOf: second }, { later: true });
  at.get('a');
  at.patch('a', 'merge', status);
  at.patch('a', 'merge', labelled('only'));
  at.patch('a', 'merge', change);
  at.patch('a', 'merge', change, { query: { fieldManager: 'somebody' } });
  at.put('a', { answerOf: first, merge: { metadata: { resourceVersion: null, managedFields: null }, ...status } });
  at.get('a');
  at.patch('a', 'strategic', change);
  const applied = { ...object, metadata: { name: object.metadata.name } };
  for (const more of [{}, { later: true }]) at.apply('a', applied, 'alice', { query: { force: 'true' }, ...more });
  for (const form of ['table', 'yaml', 'protobuf', 'metadata'] as const) at.get('a', inForm(form));
  odd(at, change);
}

/** What fails, and what nobody may change. */
function odd(at: KindStory, change: Json): void {
  at.patch('a', 'json', [{ op: 'test', path: '/metadata/labels/touched', value: 'never' }]);
  at.patch('a', 'json', [{ op: 'remove', path: '/metadata/labels' }]);
  at.patch('a', 'json', [{ op: 'replace', path: '/metadata/generation', value: 77 }]);
  at.patch('a', 'merge', { metadata: { creationTimestamp: '2020-01-01T00:00:00Z', generation: 9, selfLink: '/x' } });
  held(at, change);
}

/** Deleted while somebody holds it. */
function held(at: KindStory, change: Json): void {
  at.patch('a', 'merge', { metadata: { finalizers: ['touchstone.example/hold'], annotations: { kept: 'yes' } } });
  at.get('a');
  at.delete('a');
  const held = at.get('a');
  at.put('a', { answerOf: held, merge: change });
  at.patch('a', 'merge', { metadata: { finalizers: ['touchstone.example/hold', 'touchstone.example/more'] } });
  at.delete('a');
  at.get('a');
  at.patch('a', 'merge', { metadata: { finalizers: null } }, dry);
  at.get('a');
  at.patch('a', 'merge', { metadata: { finalizers: null } });
  at.get('a');
  // Nothing of it is left to the next of its name.
  at.create(objectOf(at.kind, 'a'));
}
