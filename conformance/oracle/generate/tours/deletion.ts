import type { Json } from '../../../verbs/client.ts';
import { objectOf } from '../../samples/objects.ts';
import type { KindStory } from '../story.ts';
import { deleteOptions } from './life.ts';
import { labelSelectors } from './listing.ts';

const own = 'app=<own>';

const policies: readonly Json[] = [
  { propagationPolicy: 'Background' },
  { propagationPolicy: 'Foreground' },
  { propagationPolicy: 'Orphan' },
  { orphanDependents: true },
  { orphanDependents: false },
  { orphanDependents: true, propagationPolicy: 'Background' },
  { propagationPolicy: 'Nothing' },
  { gracePeriodSeconds: 0 },
  { gracePeriodSeconds: -1 },
  { gracePeriodSeconds: 5 },
  { dryRun: ['All'] },
  { dryRun: ['Some'] },
  { preconditions: { uid: 'none' } },
  { preconditions: { resourceVersion: '1' } },
  { unknown: 'field' },
];

/** Every option of a deletion, told in the body and in the query, and what is there afterwards. */
export function deletion(at: KindStory): void {
  for (const [index, options] of policies.entries()) {
    const word = `d${index}`;
    at.create(objectOf(at.kind, word));
    at.delete(word, { body: { json: deleteOptions(options) } });
    at.get(word);
    const told = Object.entries(options as Record<string, Json>).filter(
      ([, value]) => typeof value !== 'object' || Array.isArray(value),
    );
    const query = Object.fromEntries(told.map(([name, value]) => [name, String(value)]));
    at.delete(word, { query });
    at.get(word);
    at.patch(word, 'merge', { metadata: { finalizers: null } });
  }
  mindsChanged(at);
  oddBodies(at);
}

/** What waits for somebody is deleted again and again, each time otherwise. */
function mindsChanged(at: KindStory): void {
  at.create(objectOf(at.kind, 'waits'));
  at.patch('waits', 'merge', { metadata: { finalizers: ['touchstone.example/hold'] } });
  for (const options of policies.slice(1, 3)) {
    at.delete('waits', { body: { json: deleteOptions(options) } });
    at.delete('waits', { body: { json: deleteOptions({}) } });
    at.delete('waits', { body: { json: deleteOptions({ preconditions: { uid: 'none' } }) } });
    at.delete('waits', { body: { json: deleteOptions({ propagationPolicy: 'Background' }) } });
    at.get('waits');
  }
  // Each in the place of the one before.
  for (const propagationPolicy of ['Orphan', 'Foreground', 'Orphan', 'Background']) {
    at.delete('waits', { body: { json: deleteOptions({ propagationPolicy }) } });
    at.get('waits');
  }
  at.patch('waits', 'merge', { metadata: { finalizers: null } });
  at.get('waits');
  rehearsedAmid(at);
}

/** What one deletion asked for, and what each other one would make of it. */
function rehearsedAmid(at: KindStory): void {
  for (const [word, propagationPolicy, finalizers] of [
    ['w0', 'Orphan', ['touchstone.example/hold']],
    ['w1', 'Foreground', ['touchstone.example/hold']],
    ['w2', 'Orphan', null],
    ['w3', 'Foreground', null],
  ] as const) {
    at.create(objectOf(at.kind, word));
    at.patch(word, 'merge', { metadata: { finalizers } });
    at.delete(word, { body: { json: deleteOptions({ propagationPolicy }) } });
    for (const options of policies.slice(0, 5))
      at.delete(word, { body: { json: deleteOptions({ ...options, dryRun: ['All'] }) }, alongside: true });
    at.delete(word, { body: { json: deleteOptions({ orphanDependents: false }) } });
    at.get(word);
    at.patch(word, 'merge', { metadata: { finalizers: null } });
  }
}

function oddBodies(at: KindStory): void {
  for (const text of [
    '{',
    '[]',
    '{"kind":"Pod","apiVersion":"v1"}',
    '{"kind":"DeleteOptions","apiVersion":"v9"}',
    '{}',
    '',
  ])
    at.delete('d-none', { body: { text } });
  // A body hides what is beside it, whatever is in it.
  for (const [number, [text, query]] of [
    ['{}', 'dryRun=All'],
    ['{}', 'propagationPolicy=Some'],
    ['{"dryRun":["All"]}', 'gracePeriodSeconds=x'],
  ].entries()) {
    at.create(objectOf(at.kind, `x${number}`));
    at.delete(`x${number}`, { query: `${query}`, body: { text: `${text}` } });
    at.get(`x${number}`);
  }
  at.story.add(`create ${at.label} in place`, 'POST', at.item('a'), { body: { json: objectOf(at.kind, 'a') } });
}

/** Collections that go as a whole or in part, rehearsed and real. */
export function collectionDeletion(at: KindStory): void {
  for (const place of [0, 1, 2, 3])
    at.create(
      objectOf(at.kind, `o${place}`, {
        color: ['red', 'green', 'blue', 'red'][place],
        ...(place % 2 ? {} : { even: 'yes' }),
      }),
    );
  at.create(objectOf(at.kind, 'p0', { color: 'red' }), {}, 2);
  const seen = (): string => at.list({ query: { labelSelector: own } });
  at.deleteAll({ query: { labelSelector: own, dryRun: 'All' } });
  seen();
  at.deleteAll({ query: { labelSelector: own }, body: { json: deleteOptions({ dryRun: ['All'] }) } });
  seen();
  const fieldSelector = `metadata.name=${objectOf(at.kind, 'o1').metadata.name}`;
  at.deleteAll({ query: { labelSelector: own, fieldSelector, dryRun: 'All' } });
  seen();
  for (const labelSelector of labelSelectors.slice(0, 4))
    at.deleteAll({ query: { labelSelector: `${own},${labelSelector}`, dryRun: 'All' } });
  conditionally(at, seen);
  chosenDeletion(at, seen);
}

/** What is said of how one object is to go holds for each that is chosen. */
function conditionally(at: KindStory, seen: () => string): void {
  const query = { labelSelector: `${own},color=green` };
  for (const options of policies)
    at.deleteAll({
      query,
      body: { json: deleteOptions({ dryRun: ['All'], ...(options as object) }) },
      alongside: true,
    });
  for (const preconditions of [{ uid: 'none' }, { resourceVersion: '1' }])
    at.deleteAll({ query, body: { json: deleteOptions({ preconditions }) } });
  seen();
}

/** For real, one selection after another. */
function chosenDeletion(at: KindStory, seen: () => string): void {
  at.deleteAll({ query: { labelSelector: `${own},color=none` } });
  seen();
  at.deleteAll({
    query: {
      labelSelector: `${own},color=green`,
      fieldSelector: `metadata.name=${objectOf(at.kind, 'o1').metadata.name}`,
    },
  });
  seen();
  at.deleteAll({ query: { labelSelector: `${own},even` } });
  seen();
  at.patch('o3', 'merge', { metadata: { finalizers: ['touchstone.example/hold'] } });
  at.deleteAll({ query: { labelSelector: own, propagationPolicy: 'Foreground' } });
  seen();
  at.patch('o3', 'merge', { metadata: { finalizers: null } });
  seen();
  at.deleteAll({ query: { labelSelector: 'a in (' } });
  at.deleteAll({ query: { labelSelector: own }, body: { text: '{' } });
}
