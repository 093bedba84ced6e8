import type { Json } from '../../../verbs/client.ts';
import { merged } from '../../play/request.ts';
import { objectOf, sampleOf } from '../../samples/objects.ts';
import { dry, type KindStory } from '../story.ts';

const noted = 'kubectl.kubernetes.io/last-applied-configuration';

const withText = (object: Json, text: string): Json => merged(object, { metadata: { annotations: { [noted]: text } } });

const withNote = (object: Json, note: Json): Json => withText(object, `${JSON.stringify(note)}\n`);

const by = (fieldManager: string) => ({ query: { fieldManager } });

/** What kubectl applied itself and noted, and then has the server apply: it is its own, unless somebody changed it. */
export function handedOver(at: KindStory): void {
  const full = objectOf(at.kind, 'a', { one: '1', two: '2' });
  const { change = { metadata: { labels: { touched: 'yes' } } } } = sampleOf(at.kind) ?? {};
  const relabelled = (labels: Json): Json => merged(full, { metadata: { labels } });
  at.create(withNote(full, full), by('kubectl-client-side-apply'));
  const other = relabelled({ one: 'other' });
  at.apply('a', other, 'somebody', dry);
  at.apply('a', other, 'kubectl', dry);
  at.patch('a', 'merge', { metadata: { labels: { two: 'by-eve' } } }, by('eve'));
  at.apply('a', relabelled({ two: 'mine' }), 'kubectl', dry);
  at.apply('a', other, 'kubectl');
  at.apply('a', merged(relabelled({ one: 'other', two: 'by-eve' }), change), 'kubectl');
  at.apply('a', relabelled({ one: null, two: 'by-eve' }), 'kubectl', { query: { force: 'true' } });
  at.get('a');
  // What it applies may have the note in it, which is none of what is noted.
  at.apply('a', withNote(full, full), 'kubectl', { query: { force: 'true' } });
  misnoted(at, full);
}

/** Notes that say something else than the object does, or nothing that can be read. */
function misnoted(at: KindStory, full: Json): void {
  const labels = { one: 'noted', three: '3' };
  const notes = [merged(full, { metadata: { labels } }), { ...full, apiVersion: 'other/v1' }, 'text', {}];
  for (const [number, note] of [...notes.map((one) => `${JSON.stringify(one)}\n`), ''].entries()) {
    const word = `n${number}`;
    const object = objectOf(at.kind, word, { one: '1', two: '2' });
    at.create(withText(object, note), by('kubectl-client-side-apply'));
    at.apply(word, merged(object, { metadata: { labels: { one: 'other' } } }), 'kubectl', dry);
    at.apply(word, merged(object, { metadata: { labels: { one: 'other' } } }), 'kubectl', { query: { force: 'true' } });
    at.get(word);
  }
}
