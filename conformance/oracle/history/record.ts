import type { Answer, Json } from '../../verbs/client.ts';
import { runLabel } from '../../verbs/guest/permit.ts';
import { eventsOf } from '../compare/content.ts';
import { dropNamespace } from '../play/clean-up.ts';
import { type Random, randomOf } from '../play/random.ts';
import type { Side } from '../play/side.ts';
import { type OpenStream, readBeside } from '../play/watching.ts';
import type { History, Reading, Sighting, Told, Watching, Write } from './history.ts';

/** How many clients work at once, and how much each does. */
export interface Effort {
  readonly clients: number;
  readonly calls: number;
  readonly names: number;
  readonly seed: number;
  /** Told before each call whether the time is spent. */
  readonly isOver: () => boolean;
}

interface Collection {
  readonly side: Side;
  readonly path: string;
  /** An object of the collection that carries the name of a write. */
  readonly objectOf: (name: string, write: string) => Json;
}

const mark = 'annotations';
const writeName = 'touchstone/write';
const end = 'zz-the-end';
/** How long watchers may take to hear of the end, in milliseconds. */
const patience = { quiet: 1_000, mark: 15_000 };

const sightingOf = ({ metadata }: Json): Sighting => ({
  name: String(metadata?.name),
  uid: String(metadata?.uid),
  version: String(metadata?.resourceVersion),
  write: String(metadata?.[mark]?.[writeName]),
});

/** Kinds that nobody else writes to, in a namespace of one's own. */
const recordedKinds = [
  { base: '/api/v1', resource: 'secrets', apiVersion: 'v1', kind: 'Secret' },
  { base: '/apis/coordination.k8s.io/v1', resource: 'leases', apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
  {
    base: '/apis/rbac.authorization.k8s.io/v1',
    resource: 'roles',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
  },
] as const;

/** Lets several clients work at once on one collection, and writes down all that they and several watchers see. */
export async function recordHistory(side: Side, namespace: string, effort: Effort): Promise<History> {
  const { base, resource, apiVersion, kind } = recordedKinds[
    effort.seed % recordedKinds.length
  ] as (typeof recordedKinds)[number];
  const collection: Collection = {
    side,
    path: `${base}/namespaces/${namespace}/${resource}`,
    objectOf: (name, write) => ({ apiVersion, kind, metadata: { name, [mark]: { [writeName]: write } } }),
  };
  await side.client.send('POST', '/api/v1/namespaces', {
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { [runLabel]: side.run } } },
  });
  const log: Log = { writes: [], readings: [], watchers: [] };
  try {
    log.watchers.push(await beginWatch(collection, 'the first watcher'));
    await Promise.all(Array.from({ length: effort.clients }, (_, client) => work(collection, client, effort, log)));
    return await finish(collection, log);
  } finally {
    await side.client.send('DELETE', collection.path).catch(() => undefined);
    await dropNamespace(side, namespace);
  }
}

interface Log {
  readonly writes: Write[];
  readonly readings: Reading[];
  readonly watchers: Watcher[];
}

interface Watcher {
  readonly name: string;
  readonly from: Watching['from'];
  /** When it had that list. */
  readonly began: number;
  readonly stream: OpenStream;
}

const secretsOf = (body: Json): readonly Json[] =>
  (body?.items ?? []).filter(({ type }: Json) => type !== 'kubernetes.io/service-account-token');

async function beginWatch({ side, path }: Collection, name: string): Promise<Watcher> {
  const { body } = await side.client.send('GET', path);
  const began = performance.now();
  const from = { version: String(body?.metadata?.resourceVersion), items: secretsOf(body).map(sightingOf) };
  const stop = new AbortController();
  const query = { watch: 1, resourceVersion: from.version };
  const { stream } = await side.client.open(path, { query, signal: stop.signal });
  return { name, from, began, stream: readBeside(stream, end, () => stop.abort()) };
}

async function work(
  collection: Collection,
  client: number,
  { calls, names, seed, isOver }: Effort,
  log: Log,
): Promise<void> {
  const random = randomOf(seed, `client ${client}`);
  for (let call = 0; call < calls && !isOver(); call++) {
    const act = random.pick(acts);
    await act({ collection, client, random, log, name: `o${random.below(names)}`, write: `w${client}-${call}` });
  }
}

interface Call {
  readonly collection: Collection;
  readonly client: number;
  readonly random: Random;
  readonly log: Log;
  readonly name: string;
  readonly write: string;
}

type Act = (call: Call) => Promise<void>;

/** Sends, and notes what came of it. */
async function noted(
  { collection: { side }, log, name, write }: Call,
  kind: Write['kind'],
  bound: { readonly onVersion?: string },
  method: string,
  path: string,
  body?: Json,
): Promise<void> {
  const began = performance.now();
  const answer = await side.client.send(method, path, body === undefined ? {} : { body }).catch(() => undefined);
  const ended = performance.now();
  const outcome = answer === undefined || answer.status >= 500 ? 'lost' : answer.status < 300 ? 'done' : 'refused';
  const seen = answer && outcome === 'done' && kind !== 'delete' ? { seen: sightingOf(answer.body) } : {};
  log.writes.push({ kind, began, ended, name, write, ...bound, outcome, ...seen });
}

const create: Act = (call) =>
  noted(call, 'create', {}, 'POST', call.collection.path, call.collection.objectOf(call.name, call.write));

/** Reads, and hands on what was seen. */
async function read(call: Call, path: string): Promise<Answer | undefined> {
  const { collection, log } = call;
  const began = performance.now();
  const answer = await collection.side.client.send('GET', path).catch(() => undefined);
  const ended = performance.now();
  if (answer?.status !== 200) return undefined;
  const isList = Array.isArray(answer.body.items);
  log.readings.push({
    began,
    ended,
    items: isList ? secretsOf(answer.body).map(sightingOf) : [sightingOf(answer.body)],
    ...(isList ? { version: String(answer.body.metadata.resourceVersion) } : {}),
  });
  return answer;
}

/** Read, change, write back: bound to the version that was read. */
const update: Act = async (call) => {
  const { collection, name, write } = call;
  const path = `${collection.path}/${name}`;
  const found = await read(call, path);
  if (!found) return;
  const onVersion = String(found.body.metadata.resourceVersion);
  const body = { ...found.body, metadata: { ...found.body.metadata, [mark]: { [writeName]: write } } };
  await noted(call, 'update', { onVersion }, 'PUT', path, body);
};

const remove: Act = async (call) => {
  const { collection, name } = call;
  const path = `${collection.path}/${name}`;
  if (call.random.once(2)) return noted(call, 'delete', {}, 'DELETE', path);
  const found = await read(call, path);
  if (!found) return;
  const { uid, resourceVersion } = found.body.metadata;
  const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } };
  await noted(call, 'delete', { onVersion: String(resourceVersion) }, 'DELETE', path, options);
};

const list: Act = async (call) => void (await read(call, call.collection.path));

const mostWatchers = 12;

const watch: Act = async ({ collection, log, client, write }) => {
  if (log.watchers.length >= mostWatchers) return;
  log.watchers.push(await beginWatch(collection, `the watcher of client ${client} at ${write}`));
};

/** What stands here twice happens twice as often. */
const acts: readonly Act[] = [create, create, update, update, update, update, remove, list, list, watch];

/** Marks the end, hears all watchers out, and has one more begin at each moment that another began at. */
async function finish(collection: Collection, { writes, readings, watchers }: Log): Promise<History> {
  const { side, path } = collection;
  const began = performance.now();
  const made = await side.client.send('POST', path, { body: collection.objectOf(end, end) });
  writes.push({
    kind: 'create',
    began,
    ended: performance.now(),
    name: end,
    write: end,
    outcome: 'done',
    seen: sightingOf(made.body),
  });
  const late = await Promise.all(watchers.slice(0, 4).map((watcher) => resumed(collection, watcher)));
  const watchings = await Promise.all([...watchers, ...late].map(heard));
  const { body } = await side.client.send('GET', path);
  const final = { version: String(body?.metadata?.resourceVersion), items: secretsOf(body).map(sightingOf) };
  return { writes, readings, watchings, final };
}

/** Another watcher from where this one began: it is told from history what that one was told as it happened. */
async function resumed({ side, path }: Collection, { name, from, began }: Watcher): Promise<Watcher> {
  const stop = new AbortController();
  const query = { watch: 1, resourceVersion: from.version };
  const { stream } = await side.client.open(path, { query, signal: stop.signal });
  const told = readBeside(stream, end, () => stop.abort());
  return { name: `who resumed where ${name} began`, from, began, stream: told };
}

const types: readonly string[] = ['ADDED', 'MODIFIED', 'DELETED'];

async function heard({ name, from, began, stream }: Watcher): Promise<Watching> {
  const { bytes } = await stream.gathered(patience);
  const events = eventsOf(bytes, 'json').filter(
    ({ type, object }) => types.includes(type) && secretsOf({ items: [object] }).length > 0,
  );
  const told = events.map(({ type, object }) => ({ type, object: sightingOf(object) }) as Told);
  return { name, from, began, told, toTheEnd: told.some(({ object }) => object.name === end) };
}
