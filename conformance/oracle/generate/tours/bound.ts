import type { Json } from '../../../verbs/client.ts';
import { objectOf, sampleOf } from '../../samples/objects.ts';
import { dry, dryBeside, type KindStory } from '../story.ts';
import { changeOf, connecting, headOf, readableBy } from './subresources.ts';

/** Of an object that nobody has. */
const nobody = '00000000-1111-2222-3333-444444444444';

/** What says of which version it is, or of which object, by each way to write and by each door. */
export function bound(at: KindStory): void {
  const { change = { metadata: { labels: { touched: 'yes' } } } } = sampleOf(at.kind) ?? {};
  at.create(objectOf(at.kind, 'a'));
  const doors = at.kind.subresources.filter(({ name, verbs }) => !connecting.has(name) && verbs.includes('update'));
  const places = [{ sub: '', change }, ...doors.map(({ name }) => ({ sub: name, change: changeOf(at, name) }))];
  const first = places.map(({ sub }) => at.get('a', {}, readableBy(at, sub)));
  at.patch('a', 'merge', { metadata: { annotations: { later: 'yes' } } });
  unchanged(at, first[0] as string);
  for (const [place, { sub, change: more }] of places.entries()) saying(at, sub, more, first[place] as string);
  gone(at, first[0] as string);
}

/** What changes nothing is to say the right version all the same. @param first the step that was answered an older one */
function unchanged(at: KindStory, first: string): void {
  const now = at.get('a');
  const later = at.create(objectOf(at.kind, 'later'));
  for (const version of [first, now, later]) {
    const said = { metadata: { resourceVersion: `<${version}:metadata.resourceVersion>` } };
    at.put('a', { answerOf: now, merge: said }, dryBeside);
    at.patch('a', 'merge', said, dryBeside);
  }
}

/** @param first the step that was answered an older version */
function saying(at: KindStory, sub: string, change: Json, first: string): void {
  const { name } = objectOf(at.kind, 'a').metadata;
  const version = `<${first}:metadata.resourceVersion>`;
  for (const metadata of [
    ...[{ resourceVersion: version }, { resourceVersion: '0' }, { resourceVersion: '' }, { resourceVersion: 'none' }],
    ...[
      { resourceVersion: '0', uid: nobody },
      { resourceVersion: '0', uid: '' },
    ],
  ]) {
    const parts = dryBeside;
    const said = { ...change, metadata: { ...change.metadata, ...metadata } };
    at.put('a', { answerOf: first, merge: said }, parts, sub);
    for (const type of ['merge', 'strategic'] as const) at.patch('a', type, said, parts, sub);
    at.apply('a', { ...headOf(at, sub), ...change, metadata: { name, ...metadata } }, 'alice', parts, sub);
  }
}

/** It is gone, and another one of its name comes: who speaks of the first does not mean that one. */
function gone(at: KindStory, first: string): void {
  const there = { answerOf: first };
  const unbound = { answerOf: first, merge: { metadata: { resourceVersion: '' } } };
  at.delete('a', { query: { gracePeriodSeconds: '0' } });
  for (const body of [there, unbound]) at.put('a', body, dry);
  at.create(objectOf(at.kind, 'a'));
  for (const body of [there, unbound]) at.put('a', body, dry);
  at.patch('a', 'merge', { metadata: { uid: `<${first}:metadata.uid>` } }, dry);
}
