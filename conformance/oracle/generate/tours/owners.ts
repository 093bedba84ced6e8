import type { Json } from '../../../verbs/client.ts';
import { apiVersionOf } from '../../oracle-kind.ts';
import { objectOf } from '../../samples/objects.ts';
import type { KindStory } from '../story.ts';
import { changeOf, connecting } from './subresources.ts';

/** Long before the play: a time that is none of these any more was written anew. */
const longAgo = (second: number): string => `2021-02-03T04:05:0${second}Z`;

interface Holder {
  readonly manager: string;
  readonly operation: string;
  readonly time: string;
}

const entry = (at: KindStory, holder: Holder, fieldsV1: Json): Json => ({
  ...{ ...holder, apiVersion: apiVersionOf(at.kind), fieldsType: 'FieldsV1', fieldsV1 },
});

const labelled = (...names: readonly string[]): Json => ({
  'f:metadata': { 'f:labels': Object.fromEntries(names.map((name) => [`f:${name}`, {}])) },
});

const labels = (values: Json): Json => ({ metadata: { labels: values } });

/** Whose entries stay as they were, with their times, and who loses what to whom. */
export function owners(at: KindStory): void {
  const first = at.create(objectOf(at.kind, 'a', { one: '1', two: '2', three: '3' }), {
    query: { fieldManager: 'eve' },
  });
  const managedFields = [
    // Their names are in another order than their times, by which they are to be told.
    entry(at, { manager: 'alice', operation: 'Apply', time: longAgo(6) }, labelled('one')),
    entry(at, { manager: 'bob', operation: 'Update', time: longAgo(7) }, labelled('two', 'three')),
    entry(at, { manager: 'carol', operation: 'Update', time: longAgo(5) }, labelled('three')),
  ];
  const by = (fieldManager: string): { query: { fieldManager: string } } => ({ query: { fieldManager } });
  at.put('a', { answerOf: first, merge: { metadata: { managedFields, labels: { told: 'yes' } } } }, by('dave'));
  at.get('a');
  at.patch('a', 'merge', labels({ two: '2' }), by('bob'));
  at.patch('a', 'merge', labels({ two: '2' }), by('carol'));
  at.patch('a', 'merge', labels({ three: 'other' }), by('carol'));
  at.apply('a', named(at, { one: '1' }), 'alice');
  at.apply('a', named(at, { one: '1', two: '2' }), 'frank');
  at.apply('a', named(at, { two: 'other' }), 'frank', { query: { force: 'true', dryRun: 'All' } });
  through(at);
  at.patch('a', 'merge', labels({ one: 'other' }), by('bob'));
  at.patch('a', 'json', [{ op: 'remove', path: '/metadata/labels/two' }], by('bob'));
  at.apply('a', named(at, { one: '1' }), 'alice');
  at.apply('a', named(at, { one: '1' }), 'alice', { query: { force: 'true' } });
  at.apply('a', named(at, {}), 'alice');
  at.get('a');
}

const named = (at: KindStory, values: Json): Json => ({
  ...{ apiVersion: apiVersionOf(at.kind), kind: at.kind.kind },
  metadata: { name: objectOf(at.kind, 'a').metadata.name, labels: values },
});

/** What is held through one door, taken through another, and told again by who lost it. */
function through(at: KindStory): void {
  for (const { name: sub, verbs } of at.kind.subresources) {
    if (connecting.has(sub) || !['get', 'patch', 'update'].every((verb) => verbs.includes(verb))) continue;
    const change = changeOf(at, sub);
    const taken = shifted(change);
    const head =
      sub === 'scale'
        ? { apiVersion: 'autoscaling/v1', kind: 'Scale' }
        : { apiVersion: apiVersionOf(at.kind), kind: at.kind.kind };
    const held = { ...head, metadata: { name: objectOf(at.kind, 'a').metadata.name }, ...change };
    at.apply('a', held, `${sub}-one`, { query: { force: 'true' } }, sub);
    if (sub === 'scale')
      at.apply('a', { ...named(at, { one: '1' }), ...change }, 'alice', { query: { force: 'true' } });
    at.get('a');
    at.put('a', { answerOf: at.get('a', {}, sub), merge: taken }, { query: { fieldManager: `${sub}-two` } }, sub);
    at.get('a');
    at.patch('a', 'merge', change, { query: { fieldManager: `${sub}-three` } }, sub);
    // Through the main door a status is not told: who says it owns nothing of it.
    at.patch('a', 'merge', taken, { query: { fieldManager: 'main' } });
    at.apply('a', held, `${sub}-one`, {}, sub);
    at.apply('a', { ...held, ...taken }, `${sub}-four`, {}, sub);
    at.apply('a', { ...held, ...taken }, `${sub}-four`, { query: { force: 'true' } }, sub);
    at.apply('a', { ...head, metadata: held.metadata }, `${sub}-one`, {}, sub);
    at.patch('a', 'merge', labels({ one: sub }), { query: { fieldManager: `${sub}-three` } }, sub);
    at.get('a');
  }
}

/** The same fields with other numbers, where there are some, and with other words for people. */
const shifted = (change: Json): Json =>
  JSON.parse(JSON.stringify(change), (key, value) => {
    if (typeof value === 'number') return value + 1;
    return key === 'message' || key === 'reason' ? `${value}Else` : value;
  });
