import type { Json } from '../../../verbs/client.ts';
import { merged } from '../../play/request.ts';
import { objectOf, otherwiseOf } from '../../samples/objects.ts';
import type { KindStory } from '../story.ts';

const beside = { query: { dryRun: 'All' }, alongside: true } as const;

/** Objects otherwise than the sample: whether they may be made, and what may become of each that is there. */
export function states(at: KindStory): void {
  const { states: kept = [], odd = [], statuses = [] } = otherwiseOf(at.kind) ?? {};
  const changes = [...kept, ...odd];
  const first = at.create(objectOf(at.kind, 'a'));
  for (const change of changes) {
    at.create(merged(objectOf(at.kind, 'b'), change), beside);
    at.put('a', { answerOf: first, merge: change }, beside);
  }
  const hasStatus = at.kind.subresources.some(({ name }) => name === 'status');
  if (hasStatus) for (const status of statuses) at.patch('a', 'merge', status, beside, 'status');
  for (const [number, state] of kept.entries()) {
    from(at, `s${number}`, state, changes);
    if (!hasStatus || statuses.length === 0) continue;
    // What there is of an object decides what may become of it.
    for (const status of statuses) at.patch(`s${number}`, 'merge', status, {}, 'status');
    for (const change of changes) at.patch(`s${number}`, 'merge', change, beside);
  }
  if (hasStatus) for (const status of statuses) told(at, status);
}

/** From one state to each. */
function from(at: KindStory, word: string, state: Json, changes: readonly Json[]): void {
  at.create(merged(objectOf(at.kind, word), state));
  at.get(word);
  for (const change of changes) at.patch(word, 'merge', change, beside);
}

/** One status after the other, each by what came before, and what the object is then. */
function told(at: KindStory, status: Json): void {
  at.patch('a', 'merge', status, {}, 'status');
  at.patch('a', 'merge', { metadata: { labels: { told: 'yes' } } }, beside);
}
