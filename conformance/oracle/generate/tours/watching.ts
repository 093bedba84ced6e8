import { overWebSocket } from '../../../verbs/wire/web-socket.ts';
import { hashOf } from '../../play/random.ts';
import type { StepHeaders } from '../../play/scenario.ts';
import { objectOf, otherwiseOf, sampleOf } from '../../samples/objects.ts';
import { mark } from '../end-mark.ts';
import { accepts, type Form, formsOfKinds, inForm } from '../forms.ts';
import { beside, dry, type KindStory } from '../story.ts';
import { anotherNamespace, ownSelectors } from './listing.ts';

const own = 'app=<own>';
/** Before that one, in the other namespace. */
const markElsewhere = 'the-last';
const until = { watch: { until: mark } };
/** Nothing is called so: the stream is read for as long as one with a mark. */
const toItsEnd = { watch: { until: 'no-such-object' } };
const brief = { timeoutSeconds: '1' };

/** How many selectors of a kind's own fields are tried: most are refused. */
const mostFields = 12;

/** Streams that are open while things happen, and streams that begin in the past: all tell the same story. */
export function watching(at: KindStory): void {
  const chosen = (labelSelector: string): { query: Record<string, string> } => ({ query: { labelSelector } });
  at.create(objectOf(at.kind, 'a', { color: 'red' }));
  // What went before a list is no news to who goes on from there.
  at.create(objectOf(at.kind, 'z', { color: 'red' }));
  at.delete('z', { query: { gracePeriodSeconds: '0' } });
  const begin = at.list(at.kind.namespaced ? {} : chosen(own), 1);
  const version = `<${begin}:metadata.resourceVersion>`;
  at.watch({ ...until, ...chosen(own) }, 1);
  at.watch({ ...until, query: { labelSelector: own, resourceVersion: version } });
  at.watch({ ...until, query: { labelSelector: `${own},color=red`, resourceVersion: version } });
  // A stream costs a connection: what is not about the kind is spread over the kinds.
  const turn = hashOf(at.label);
  const others = [
    () => at.watch({ ...until, ...chosen(own) }),
    () => at.watch({ ...until, query: { labelSelector: own, resourceVersion: '0' } }, 1),
    () => at.watch({ ...until, query: { labelSelector: `${own},color!=green`, resourceVersion: version } }, 1),
    () =>
      at.watch(
        { query: { fieldSelector: `metadata.name=${objectOf(at.kind, 'b').metadata.name}`, resourceVersion: version } },
        1,
      ),
    () => oldPaths(at, version),
  ];
  others[turn % others.length]?.();
  at.watch(
    {
      ...until,
      query: { labelSelector: own, resourceVersion: version },
      ...inForm(formsOfKinds[turn % formsOfKinds.length] as Form),
    },
    1,
  );
  happenings(at);
  fromThePast(at, version, turn);
}

/** Streams of some of what happens, each chosen in another way, and in each form. */
export function choosing(at: KindStory): void {
  at.create(objectOf(at.kind, 'a', { color: 'red' }));
  const begin = at.list({ query: { labelSelector: own } }, 1);
  const resourceVersion = `<${begin}:metadata.resourceVersion>`;
  const [name, first] = ['b', 'a'].map((word) => objectOf(at.kind, word).metadata.name);
  for (const fieldSelector of [`metadata.name=${name}`, `metadata.name==${first}`]) {
    at.watch({ query: { fieldSelector, resourceVersion } }, 1);
    at.watch({ query: { fieldSelector, resourceVersion } });
    at.watch({ query: { fieldSelector } }, 1);
    at.watch({ query: { fieldSelector, labelSelector: `${own},color=red`, resourceVersion } });
  }
  at.watch({ ...until, query: { fieldSelector: `metadata.name!=${name}`, labelSelector: own, resourceVersion } });
  const within = { fieldSelector: 'metadata.namespace=<own>-1', labelSelector: own, resourceVersion };
  // What is in no namespace is never told here.
  at.watch({ ...(at.kind.namespaced ? until : {}), query: within });
  const elsewhere = { fieldSelector: 'metadata.namespace!=<own>-1', labelSelector: own, resourceVersion };
  at.watch({ watch: { until: at.kind.namespaced ? markElsewhere : mark }, query: elsewhere });
  for (const chosen of ['color in (red, blue)', 'color notin (red)', '!even', 'touched'])
    at.watch({ query: { labelSelector: `${own},${chosen}`, resourceVersion } }, 1);
  for (const fieldSelector of ownSelectors(at).slice(0, mostFields))
    at.watch({ query: { fieldSelector, labelSelector: own, resourceVersion } }, 1);
  for (const form of formsOfKinds)
    at.watch({ ...until, query: { labelSelector: own, resourceVersion }, ...inForm(form) }, 1);
  included(at, resourceVersion);
  oldPaths(at, resourceVersion);
  happenings(at);
  at.create(objectOf(at.kind, 'b', { even: 'yes' }), {}, at.kind.namespaced ? 2 : 1);
  at.delete('b', {}, at.kind.namespaced ? 2 : 1);
  at.create(objectOf(at.kind, markElsewhere, { color: 'red' }), {}, 2);
  at.create(objectOf(at.kind, mark, { color: 'red' }));
}

/** How much of an object comes with its row: streams of one kind that are open at once, each with as much as it asks for. */
function included(at: KindStory, resourceVersion: string): void {
  for (const includeObject of ['None', 'Object', 'Metadata', 'Other'])
    at.watch({ query: { labelSelector: own, resourceVersion, includeObject }, ...inForm('table') }, 1);
}

/** Streams that their server ends after a second, each chosen or asked for in another way. */
export function ending(at: KindStory): void {
  for (const word of ['a', 'b']) at.create(objectOf(at.kind, word, { color: 'red' }));
  // No other stream may or may not hear of it.
  const large = objectOf(at.kind, 'long', { app: '<own>-long' });
  at.create({ ...large, metadata: { ...large.metadata, annotations: { long: longText } } });
  const fieldSelector = `metadata.name=${objectOf(at.kind, 'a').metadata.name}`;
  const resourceVersion = `<${at.list({ query: { labelSelector: own } }, 1)}:metadata.resourceVersion>`;
  const chosen: Record<string, string> = { labelSelector: own, ...brief };
  const one = { fieldSelector, ...brief };
  for (const query of [
    ...[chosen, one, { ...chosen, resourceVersion: '0' }, { ...one, resourceVersion }],
    // A stream has no pages.
    { ...chosen, limit: '1' },
  ])
    at.watch({ ...toItsEnd, query }, 1);
  const marked = { ...chosen, resourceVersion, allowWatchBookmarks: 'true' };
  at.watch({ ...toItsEnd, query: marked }, 1);
  for (const form of ['table', 'protobuf', 'metadata'] as const)
    at.watch({ ...toItsEnd, query: marked, ...inForm(form) }, 1);
  at.watch({ ...toItsEnd, query: { ...chosen, resourceVersion } });
  overSockets(at, chosen);
  for (const form of ['table', 'protobuf'] as const) at.watch({ ...toItsEnd, query: chosen, ...inForm(form) }, 1);
  for (const path of [at.collection(1), at.item('a')])
    at.story.add(`watch ${at.label} by its old path`, 'GET', oldPathOf(path), { ...toItsEnd, query: brief });
  long(at);
}

/** Longer than what is read or sent at a time; each character is told in one byte. */
const longText = 'x'.repeat(70_000);

/** What is long is told as a whole, and that it changes. */
function long(at: KindStory): void {
  const query = { labelSelector: `${own}-long` };
  at.watch({ ...toItsEnd, query: { ...query, ...brief } }, 1);
  at.watch({ ...toItsEnd, query: { ...query, ...brief }, headers: overWebSocket }, 1);
  at.watch({ ...toItsEnd, query: { ...query, ...brief }, ...inForm('protobuf') }, 1);
  for (const form of ['json', 'protobuf', 'yaml', 'table'] as const)
    at.list({ query, ...inForm(form), headers: { ...inForm(form).headers, 'accept-encoding': 'gzip' }, ...beside }, 1);
}

/** How a WebSocket is asked for, well and not. */
const handshakes: readonly StepHeaders[] = [
  overWebSocket,
  { ...overWebSocket, accept: accepts.table },
  { ...overWebSocket, accept: accepts.protobuf },
  { ...overWebSocket, accept: 'text/html' },
  { ...overWebSocket, upgrade: 'WebSocket' },
  { ...overWebSocket, 'sec-websocket-version': '8' },
  { ...overWebSocket, 'sec-websocket-key': '' },
  { ...overWebSocket, 'sec-websocket-protocol': 'binary.k8s.io' },
  { ...overWebSocket, 'sec-websocket-protocol': 'one, two' },
];

/** The same stream in messages, and to whom it is refused. */
function overSockets(at: KindStory, query: Record<string, string>): void {
  for (const headers of handshakes) at.watch({ ...toItsEnd, query, headers }, 1);
  at.watch({ ...toItsEnd, query: { ...query, resourceVersion: 'none' }, headers: overWebSocket }, 1);
  at.watch({ ...toItsEnd, query: { ...query, labelSelector: 'a in (' }, headers: overWebSocket }, 1);
}

/** The end is marked, and who begins now is told all of it. */
function fromThePast(at: KindStory, version: string, turn: number): void {
  at.create(objectOf(at.kind, markElsewhere, { color: 'red' }), {}, at.kind.namespaced ? 11 : 1);
  at.create(objectOf(at.kind, mark, { color: 'red' }));
  at.watch({ ...until, query: { labelSelector: own, resourceVersion: version } });
  at.watch({ ...until, query: { labelSelector: `${own},color=red`, resourceVersion: version } }, 1);
  const odd: readonly Record<string, string>[] = [
    { limit: '1', resourceVersion: version },
    { resourceVersion: 'none' },
    { resourceVersionMatch: 'Exact', resourceVersion: version },
    { timeoutSeconds: 'x' },
    { allowWatchBookmarks: 'maybe', resourceVersion: version },
  ];
  at.watch({ query: { labelSelector: own, ...odd[turn % odd.length] } }, 1);
  // No server has a stream of these.
  const accept = ['text/html', 'application/xml', 'image/*'][turn % 3] as string;
  at.watch({ query: { labelSelector: own, resourceVersion: version }, headers: { accept } }, 1);
}

/** The path from before watches were lists. */
const oldPathOf = (path: string): string => path.replace(/^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)/, '$1/watch');

function oldPaths(at: KindStory, resourceVersion: string): void {
  const base = oldPathOf(at.collection(1));
  const query = { resourceVersion };
  at.story.add(`watch ${at.label} by its old path`, 'GET', base, {
    query: { ...query, labelSelector: own },
    watch: {},
  });
  const one = (more: Record<string, string> = {}): string =>
    at.story.add(`watch one of ${at.label} by its old path`, 'GET', oldPathOf(at.item('b')), {
      query: { ...query, ...more },
      watch: {},
    });
  one();
  const [name, other] = ['b', 'a'].map((word) => `metadata.name=${objectOf(at.kind, word).metadata.name}`);
  one({ fieldSelector: `${other}` });
  if (!at.kind.namespaced) return;
  for (const place of ['=<own>-1', '!=<own>-1']) one({ fieldSelector: `${name},metadata.namespace${place}` });
}

function happenings(at: KindStory): void {
  const touched = (labels: Record<string, string | null>): object => ({ metadata: { labels } });
  at.create(objectOf(at.kind, 'b', { color: 'green' }));
  at.create(objectOf(at.kind, 'c', { color: 'red' }), {}, 2);
  at.patch('a', 'merge', touched({ color: 'green' }));
  at.patch('b', 'merge', touched({ color: 'red' }));
  at.patch('b', 'merge', touched({ color: 'red' }));
  at.patch('b', 'merge', touched({ color: 'blue' }), dry);
  at.apply(
    'b',
    {
      ...objectOf(at.kind, 'b'),
      metadata: { name: objectOf(at.kind, 'b').metadata.name, annotations: { seen: 'yes' } },
    },
    'alice',
    { query: { force: 'true' } },
  );
  unlabelled(at, touched);
  lived(at);
  endings(at);
}

/** How many statuses are told of one object that is watched. */
const mostStatuses = 6;

/** What it asks for is changed, and what becomes of it is told by its own door. */
function lived(at: KindStory): void {
  const { change, status } = sampleOf(at.kind) ?? {};
  if (change !== undefined) at.patch('a', 'merge', change);
  if (!at.kind.subresources.some(({ name }) => name === 'status')) return;
  const { statuses = [] } = otherwiseOf(at.kind) ?? {};
  for (const one of [status, ...statuses.slice(0, mostStatuses)])
    if (one !== undefined) at.patch('a', 'merge', one, {}, 'status');
}

/** What has no such label gets it, and loses it. */
function unlabelled(at: KindStory, touched: (labels: Record<string, string | null>) => object): void {
  at.create(objectOf(at.kind, 'd', { even: 'yes' }));
  for (const color of ['red', null]) at.patch('d', 'merge', touched({ color }));
  at.delete('d');
}

function endings(at: KindStory): void {
  at.delete('b', dry);
  at.delete('b');
  at.create(objectOf(at.kind, 'b', { color: 'red' }));
  at.patch('a', 'merge', { metadata: { finalizers: ['touchstone.example/hold'] } });
  at.delete('a');
  at.patch('a', 'merge', { metadata: { finalizers: null } });
  if (at.kind.namespaced) anotherNamespace(at);
  // Of several that go at once nobody says which goes first.
  const fieldSelector = `metadata.name=${objectOf(at.kind, 'c').metadata.name}`;
  at.deleteAll({ query: { labelSelector: `${own},color=red`, fieldSelector } }, 2);
}
