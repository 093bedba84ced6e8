import type { ProxiedAnswer, ProxiedRequest, Sabotage } from '../../sabotage/sabotage.ts';
import { sabotage } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault } from '../fault.ts';
import { jsonOf, remembering } from '../meddling.ts';

interface Cache {
  /** What answers are told apart by. */
  readonly keyOf: (request: ProxiedRequest) => string;
  readonly keeps: (request: ProxiedRequest) => boolean;
}

/** Milliseconds that an answer is good for. */
const fresh = 1000;

/** Reads are answered from a cache that every write empties. */
const cached = ({ keyOf, keeps }: Cache): Sabotage =>
  sabotage('answers from a cache', () => {
    const seen = new Map<string, { readonly at: number; readonly answer: ProxiedAnswer }>();
    return {
      request: (request) => {
        if (request.method !== 'GET') seen.clear();
        const known = request.method === 'GET' && !request.query.has('watch') ? seen.get(keyOf(request)) : undefined;
        return known && Date.now() - known.at < fresh ? known.answer : request;
      },
      answer: (answer, request) => {
        if (request.method === 'GET' && answer.status === 200 && keeps(request))
          seen.set(keyOf(request), { at: Date.now(), answer });
        return answer;
      },
    };
  });

/** What was made a moment ago is not in the index of labels yet. */
const lateIndex = remembering(() => {
  const made = new Map<string, number>();
  const lag = 300;
  return (body, request, answer) => {
    if (request.method === 'POST' && answer.status === 201) made.set(body.metadata?.uid, Date.now());
    if (request.method !== 'GET' || !request.query.get('labelSelector') || !Array.isArray(body.items)) return body;
    const isIndexed = ({ metadata }: Json): boolean => Date.now() - (made.get(metadata?.uid) ?? 0) > lag;
    return { ...body, items: body.items.filter(isIndexed) };
  };
});

/** A deletecollection empties the store and leaves the cache as it is. */
const keepsRemoved = sabotage('keeps what was removed in a cache', () => {
  const removed = new Map<string, { readonly at: number; readonly answer: ProxiedAnswer }>();
  return {
    request: (request) => {
      const known = request.method === 'GET' && request.rawQuery === '' ? removed.get(request.path) : undefined;
      return known && Date.now() - known.at < fresh ? known.answer : request;
    },
    answer: (answer, request) => {
      const { kind = '', apiVersion, items = [], metadata } = jsonOf(answer.body) ?? {};
      if (request.method === 'POST' && metadata?.name) removed.delete(`${request.path}/${metadata.name}`);
      if (request.method !== 'DELETE' || request.query.has('dryRun') || !kind.endsWith('List')) return answer;
      for (const item of items) {
        const body = Buffer.from(JSON.stringify({ kind: kind.replace(/List$/, ''), apiVersion, ...item }));
        const headers = { 'content-type': 'application/json' };
        removed.set(`${request.path}/${item.metadata.name}`, {
          ...{ at: Date.now(), answer: { status: 200, headers, body } },
        });
      }
      return answer;
    },
  };
});

/** Lists in one form are good for a while, whatever is written meanwhile. */
const staleFor = (form: string): Sabotage =>
  sabotage('answers what was listed before', () => {
    const seen = new Map<string, { readonly at: number; readonly answer: ProxiedAnswer }>();
    const idOf = ({ path, rawQuery, headers }: ProxiedRequest): string =>
      `${path}?${rawQuery} ${headers['accept']} ${headers['authorization']}`;
    const isMeant = ({ method, query, headers }: ProxiedRequest): boolean =>
      method === 'GET' && !query.has('watch') && String(headers['accept']).includes(`as=${form};`);
    return {
      request: (request) => {
        const known = isMeant(request) ? seen.get(idOf(request)) : undefined;
        return known && Date.now() - known.at < fresh ? known.answer : request;
      },
      answer: (answer, request) => {
        if (isMeant(request) && answer.status === 200) seen.set(idOf(request), { at: Date.now(), answer });
        return answer;
      },
    };
  });

/** Whoever writes an object has the lists of its namespace read anew; what is below an object is none. */
const staleBelow = sabotage('keeps lists while subresources are written', () => {
  const seen = new Map<string, ProxiedAnswer>();
  const idOf = ({ path, rawQuery, headers }: ProxiedRequest): string => `${path}?${rawQuery} ${headers['accept']}`;
  return {
    request: (request) => {
      const { method, path } = request;
      if (method === 'GET') return seen.get(idOf(request)) ?? request;
      const start = `${method === 'POST' ? path : path.replace(/\/[^/]+$/, '')}?`;
      for (const id of seen.keys()) if (id.startsWith(start)) seen.delete(id);
      return request;
    },
    answer: (answer, request) => {
      const { method, path } = request;
      const keeps = method === 'GET' && path.includes('/namespaces/') && jsonOf(answer.body)?.kind?.endsWith('List');
      if (keeps) seen.set(idOf(request), answer);
      return answer;
    },
  };
});

/** Caches and indexes before a server. */
export default [
  fault(
    'a cache answers a Table to who asks next for the object',
    ['content'],
    cached({
      keyOf: ({ path, rawQuery }) => `${path}?${rawQuery}`,
      keeps: ({ headers }) => /as=Table/.test(String(headers['accept'])),
    }),
  ),
  fault(
    'a cache answers everybody what one might read',
    ['impersonate', 'errors', 'paths'],
    cached({
      keyOf: ({ path, rawQuery, headers }) => `${path}?${rawQuery} ${headers['accept']}`,
      keeps: ({ path }) => /\/namespaces\/[^/]+\/[a-z0-9]+\/[^/]+$/.test(path),
    }),
  ),
  fault('a list by labels does not see what was just made', ['lists', 'params', 'rv'], lateIndex),
  fault('what a deletecollection removed can be read for a second', ['verbs', 'get', 'deletion'], keepsRemoved),
  fault(
    'lists of metadata alone come from a cache of a second',
    ['content', 'lists', 'rv'],
    staleFor('PartialObjectMetadataList'),
  ),
  fault('a list after a write to a subresource is answered from before it', ['rv'], staleBelow),
];
