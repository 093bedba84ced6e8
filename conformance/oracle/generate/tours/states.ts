import type { Json } from '../../../verbs/client.ts';
import { isMap } from '../../../verbs/json.ts';
import { isCustom } from '../../oracle-kind.ts';
import { merged } from '../../play/request.ts';
import { objectOf, otherwiseOf, sampleOf } from '../../samples/objects.ts';
import { asRow, inForm } from '../forms.ts';
import { dryBeside, type KindStory } from '../story.ts';
import { entriesOtherwise, saidOtherwise } from './entries.ts';
import { doorways } from './subresources.ts';

/** Objects otherwise than the sample: whether they may be made, and what may become of one that is there. */
export function oddities(at: KindStory): void {
  const { states: kept = [], odd = [], fresh = [], statuses = [] } = otherwiseOf(at.kind) ?? {};
  const first = at.create(objectOf(at.kind, 'a'));
  glance(at, first);
  for (const change of fresh) at.create(merged(objectOf(at.kind, 'b'), change), { ...asRow, alongside: true });
  for (const change of [...kept, ...odd]) {
    at.create(merged(objectOf(at.kind, 'b'), change), dryBeside);
    at.put('a', { answerOf: first, merge: change }, dryBeside);
  }
  for (const change of [...kept, ...odd.filter(isNoted)])
    at.create(merged(objectOf(at.kind, 'b'), change), { ...dryBeside, ...inForm('table') });
  if (!hasStatus(at)) return;
  for (const status of statuses) at.patch('a', 'merge', status, dryBeside, 'status');
  for (const status of statuses) told(at, status);
}

/** Labels and annotations change what is shown of an object, if anything. */
const isNoted = ({ metadata: { labels, annotations } = {} }: Json): boolean => (labels ?? annotations) !== undefined;

/** Each way to write what a kind asks for, its status told where it counts and where it does not, and how it is shown. */
function glance(at: KindStory, first: string): void {
  const { change = { metadata: { labels: { touched: 'yes' } } }, status = { status: { touched: 'yes' } } } =
    sampleOf(at.kind) ?? {};
  const [object, other] = [objectOf(at.kind, 'a'), objectOf(at.kind, 'b')];
  for (const form of ['table', 'protobuf', 'yaml', 'metadata'] as const)
    at.get('a', { ...inForm(form), alongside: true });
  at.create(merged(other, status), dryBeside);
  at.put('a', { answerOf: first, merge: merged(change, status) }, dryBeside);
  // By who has seen no version of it, or says so; and what is noted of it.
  for (const resourceVersion of [null, '0'])
    at.put('a', { answerOf: first, merge: merged(change, { metadata: { resourceVersion } }) }, dryBeside);
  at.patch('a', 'merge', { metadata: { annotations: { noted: 'yes' } } }, dryBeside);
  for (const type of ['merge', 'strategic'] as const) at.patch('a', type, change, dryBeside);
  const bare = { ...merged(object, change), metadata: { name: object.metadata.name } };
  const query = { ...dryBeside.query, fieldManager: 'alice' };
  at.patch('a', 'apply', bare, { ...dryBeside, query });
  at.patch('a', 'apply', bare, { ...dryBeside, query: { ...query, force: 'true' } });
  const amounts = respelt(object);
  if (JSON.stringify(amounts) !== JSON.stringify(object)) at.put('a', { answerOf: first, merge: amounts }, dryBeside);
  contested(at, object);
  doorways(at);
}

const unit = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 } as const;

/** With each amount as large as it is and written otherwise, which changes nothing. */
function respelt(value: Json): Json {
  if (typeof value === 'string')
    return value.replace(/^(\d+)(Ki|Mi|Gi)$/, (_, count, of: keyof typeof unit) => String(Number(count) * unit[of]));
  if (Array.isArray(value)) return value.map(respelt);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries<Json>(value).map(([name, member]) => [name, respelt(member)]));
}

const mostEntries = 16;

/** Each field is somebody's: all are said otherwise at once by another one. What an entry is, its key alone says. */
function contested(at: KindStory, { apiVersion, kind, metadata, ...parts }: Json): void {
  const head = { apiVersion, kind, metadata: { name: metadata.name } };
  at.patch(
    'a',
    'apply',
    { ...head, ...saidOtherwise(parts) },
    { ...dryBeside, query: { ...dryBeside.query, fieldManager: 'bob' } },
  );
  if (isCustom(at.kind)) return;
  for (const patch of entriesOtherwise(parts).take(mostEntries)) at.patch('a', 'strategic', patch, dryBeside);
}

const hasStatus = ({ kind }: KindStory): boolean => kind.subresources.some(({ name }) => name === 'status');

/** What may become of an object in each of the states in which it may be stored. */
export function states(at: KindStory): void {
  const { states: kept = [], odd = [], statuses = [] } = otherwiseOf(at.kind) ?? {};
  const changes = [...kept, ...odd];
  for (const [number, state] of kept.entries()) {
    from(at, `s${number}`, state, changes);
    if (!hasStatus(at) || statuses.length === 0) continue;
    // What there is of an object decides what may become of it.
    for (const status of statuses) at.patch(`s${number}`, 'merge', status, {}, 'status');
    for (const change of changes) at.patch(`s${number}`, 'merge', change, dryBeside);
  }
}

/** From one state to each. */
function from(at: KindStory, word: string, state: Json, changes: readonly Json[]): void {
  at.create(merged(objectOf(at.kind, word), state));
  at.get(word);
  for (const change of changes) at.patch(word, 'merge', change, dryBeside);
}

/** One status after the other, each by what came before, and what the object is then and how it is shown. */
function told(at: KindStory, status: Json): void {
  at.patch('a', 'merge', status, {}, 'status');
  at.patch('a', 'merge', { metadata: { labels: { told: 'yes' } } }, dryBeside);
  at.get('a', { ...inForm('table'), alongside: true });
}
