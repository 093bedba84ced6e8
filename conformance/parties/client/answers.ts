import type { Lasting, Reply, ReplyHeaders, Stream } from './replies.ts';
import type { Seen } from './scripted-server.ts';
import { namespace, type Secret, type World } from './world.ts';

export const json = (value: unknown, status = 200, headers: ReplyHeaders = {}): Reply => ({
  status,
  headers,
  body: JSON.stringify(value),
});

/** A Status, as every failed request is answered. */
export const statusOf = (code: number, reason: string, message: string): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  reason,
  code,
});

export const failure = (code: number, reason: string, message: string, headers: ReplyHeaders = {}): Reply =>
  json(statusOf(code, reason, message), code, headers);

/** Either reason goes with 410: it is the code that counts. */
export const gone = (reason: 'Expired' | 'Gone' = 'Expired'): Reply =>
  failure(410, reason, 'what is asked for is no longer held');

export const secretsPath = `/api/v1/namespaces/${namespace}/secrets`;

export const isWatch = ({ path, query }: Seen): boolean => path === secretsPath && isSet(query.get('watch'));

export const isList = (seen: Seen): boolean => seen.method === 'GET' && seen.path === secretsPath && !isWatch(seen);

/** A stream that holds this and ends. */
export const streamOf = (text: string): Lasting => ({
  open(stream) {
    stream.write(text);
    stream.end();
  },
});

/** A watch that a client has open. */
export interface OpenWatch {
  readonly seen: Seen;
  /** Whether it takes bookmarks. */
  readonly bookmarks: boolean;
  readonly stream: Stream;
  /** It hears of nothing that comes later. */
  readonly end: () => void;
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const resource = (name: string, kind: string, namespaced: boolean) => ({
  ...{ name, singularName: kind.toLowerCase(), namespaced, kind, verbs },
});

const ownNamespace = {
  metadata: { name: namespace, uid: '00000000-0000-4000-8000-000000000000', resourceVersion: '1' },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
};

/** What clients read to learn what is served. */
const discovery: Readonly<Record<string, object>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [resource('secrets', 'Secret', true), resource('namespaces', 'Namespace', false)],
  },
  '/version': { major: '1', minor: '25', gitVersion: 'v1.25.0' },
  '/api/v1/namespaces': {
    kind: 'NamespaceList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '1' },
    items: [ownNamespace],
  },
  [`/api/v1/namespaces/${namespace}`]: { kind: 'Namespace', apiVersion: 'v1', ...ownNamespace },
};

/** Answers as a server that keeps every rule: lists, pages, watches and writes of Secrets. */
export function answerWell(world: World, watches: Set<OpenWatch>, seen: Seen): Reply | Lasting {
  if (isWatch(seen)) return watch(world, watches, seen);
  if (isList(seen)) return list(world, seen);
  const name = seen.path.startsWith(`${secretsPath}/`) ? seen.path.slice(secretsPath.length + 1) : undefined;
  if (name) return object(world, name, seen);
  // Of namespaces nothing is ever told.
  if (seen.path === '/api/v1/namespaces' && isSet(seen.query.get('watch'))) return { open: () => undefined };
  const known = discovery[seen.path];
  return known ? json(known) : failure(404, 'NotFound', 'the server could not find the requested resource');
}

function list(world: World, { query }: Seen): Reply {
  const token = query.get('continue') || undefined;
  if (token && !['', '0'].includes(query.get('resourceVersion') ?? ''))
    return failure(400, 'BadRequest', 'specifying resource version is not allowed when using continue');
  const page = world.page(Number(query.get('limit') ?? 0), token, !isSelected(query));
  return page ? json(page) : failure(410, 'Expired', 'The provided continue parameter is too old');
}

function watch(world: World, watches: Set<OpenWatch>, seen: Seen): Reply | Lasting {
  const version = seen.query.get('resourceVersion') ?? '';
  const past = version === '' || version === '0' ? world.present() : world.since(version);
  if (!past) return gone('Gone');
  return {
    open(stream) {
      for (const change of past) stream.write(lineOf(change.type, change.object));
      const deaf = world.listen((change) => stream.write(lineOf(change.type, change.object)));
      const forget = (): void => {
        clearTimeout(timer);
        deaf();
        watches.delete(one);
      };
      const end = (): void => {
        forget();
        stream.end();
      };
      const one = { seen, stream, end, bookmarks: isSet(seen.query.get('allowWatchBookmarks')) };
      watches.add(one);
      const timer = setTimeout(end, (Number(seen.query.get('timeoutSeconds')) || 1_800) * 1_000);
      stream.onClose(forget);
    },
  };
}

const isSelected = (query: URLSearchParams): boolean =>
  Boolean(query.get('labelSelector') || query.get('fieldSelector'));

const isSet = (value: string | null): boolean => value === 'true' || value === '1';

/** One event of a watch. */
export const lineOf = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;

function object(world: World, name: string, { method, body }: Seen): Reply {
  const found = world.find(name);
  if (!found) return failure(404, 'NotFound', `secrets "${name}" not found`);
  if (method === 'GET') return json(found);
  if (method !== 'PUT') return failure(405, 'MethodNotAllowed', 'it is not played here');
  const sent = JSON.parse(body) as Secret;
  const version = sent.metadata.resourceVersion;
  if (version && version !== found.metadata.resourceVersion)
    return failure(
      409,
      'Conflict',
      `secrets "${name}": the object has been modified; please apply your changes to the latest version`,
    );
  return json(world.store({ ...sent, metadata: { ...found.metadata, ...sent.metadata } }));
}
