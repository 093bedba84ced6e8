import type { ProxiedAnswer, ProxiedRequest } from '../sabotage/sabotage.ts';
import {
  answerHeader,
  answerWith,
  changeAnswer,
  changeRequest,
  forceQuery,
  ignoreQuery,
  removeIn,
  requestHeader,
  sabotage,
  statusObject,
} from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { type Fault, fault } from './fault.ts';
import { jsonOf, mishear, misread, watching } from './meddling.ts';

/** What gateways, caches, fakes and small servers that stand for a whole one get wrong. */

const custom = /touchstone\.example/;
const watches = { method: 'GET', query: { watch: true } };
const numbers = ['limit', 'timeoutSeconds', 'gracePeriodSeconds'];

const isNumber = (text: string | null): boolean => text === null || /^[-+]?\d+$/.test(text);

/** `/api/v1/…` or `/apis/group/version/…`, a namespace or none, a collection, a name, and what is below it. */
const item = /^((?:\/api\/v1|\/apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+)?\/[a-z0-9]+)\/([^/]+)(?:\/([a-z]+))?$/;
const known =
  /^(status|scale|approval|finalize|eviction|binding|log|exec|attach|proxy|portforward|token|ephemeralcontainers)$/;

/** The next read of an object after a write to what is below it is answered as the last one was. */
const stale = sabotage('answers from before', () => {
  const seen = new Map<string, ProxiedAnswer>();
  const old = new Set<string>();
  return {
    request: (request) => {
      const answer = request.method === 'GET' && request.rawQuery === '' ? seen.get(request.path) : undefined;
      return answer && old.delete(request.path) ? answer : request;
    },
    answer: (answer, { method, path, rawQuery }) => {
      const [, collection, name, below] = item.exec(path) ?? [];
      if (!name || answer.status >= 300) return answer;
      if (method === 'GET' && !below && rawQuery === '') seen.set(path, answer);
      else if (method !== 'GET' && below && seen.has(`${collection}/${name}`)) old.add(`${collection}/${name}`);
      else if (method !== 'GET') seen.delete(path);
      return answer;
    },
  };
});

/** Sends requests that fit to another path. */
const elsewhere = (name: string, to: (request: ProxiedRequest) => string | undefined) =>
  sabotage(name, () => ({ request: (request) => ({ ...request, path: to(request) ?? request.path }) }));

const unknownBelow = elsewhere('answers the object', ({ method, path }) => {
  const [, collection, name, below] = item.exec(path) ?? [];
  return method === 'GET' && below && !known.test(below) && !collection?.endsWith('/namespaces')
    ? `${collection}/${name}`
    : undefined;
});

const postToItem = elsewhere('posts to the collection', ({ method, path }) => {
  const [, collection, , below] = item.exec(path) ?? [];
  return method === 'POST' && !below && !collection?.endsWith('/namespaces') ? collection : undefined;
});

/** What a client is told of an object that it was told of before, even if that one is gone. */
const knowsNames = watching(() => {
  const gone = new Set<string>();
  return {
    event: (event) => {
      const { namespace = '', name } = event.object?.metadata ?? {};
      const key = `${event.object?.kind} ${namespace}/${name}`;
      if (event.type === 'DELETED') gone.add(key);
      return event.type === 'ADDED' && gone.has(key) ? [{ ...event, type: 'MODIFIED' }] : [event];
    },
  };
});

const losesSome = watching(() => {
  let changes = 0;
  return { event: (event) => (event.type === 'MODIFIED' && ++changes % 25 === 0 ? [] : [event]) };
});

const byPrefix = sabotage('selects by the beginning of a name', () => {
  const wanted = new WeakMap<object, string>();
  return {
    request: (request) => {
      const name = /^metadata\.name==?([^,]+)$/.exec(request.query.get('fieldSelector') ?? '')?.[1];
      if (!name || !request.query.has('watch')) return request;
      const query = new URLSearchParams(request.query);
      query.delete('fieldSelector');
      const next = { ...request, query, rawQuery: query.toString() };
      wanted.set(next, name);
      return next;
    },
    event: (event, request) =>
      (event.object?.metadata?.name ?? '').startsWith(wanted.get(request) ?? '') ? [event] : [],
  };
});

/** A write that leaves out the version of what it writes is not taken. */
const demandsVersion = sabotage('wants a version', () => ({
  request: (request) => {
    const unbound =
      request.method === 'PUT' && request.path.endsWith('/status') && !jsonOf(request.body)?.metadata?.resourceVersion;
    if (!unbound) return request;
    const body = statusObject(409, 'Conflict');
    return { status: 409, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
  },
}));

const withoutPositions = (body: Json): Json =>
  JSON.parse(
    JSON.stringify(body, (key, value) => (key === 'field' ? String(value).replaceAll(/\[\d+\]/g, '') : value)),
  );

const rehearsedInBody = sabotage('hears of no rehearsal beside preconditions', () => ({
  request: (request) => {
    const options = request.method === 'DELETE' ? jsonOf(request.body) : undefined;
    if (!options?.preconditions) return request;
    const { dryRun: _, ...rest } = options;
    const query = new URLSearchParams(request.query);
    query.delete('dryRun');
    return { ...request, query, rawQuery: query.toString(), body: Buffer.from(JSON.stringify(rest)) };
  },
}));

const blanksStay = sabotage('reads a plus as a plus', () => ({
  request: (request) => {
    const rawQuery = request.rawQuery.replaceAll('+', '%2B');
    return { ...request, rawQuery, query: new URLSearchParams(rawQuery) };
  },
}));

export const relayingFaults: readonly Fault[] = [
  fault(
    'whole numbers beyond 53 bits are rounded',
    ['content', 'verbs'],
    changeRequest('', (body) => body, { method: ['POST', 'PUT', 'PATCH'] }),
  ),
  fault('a plus in a query is no blank', ['lists', 'params'], blanksStay),
  fault(
    'numbers among the parameters that are none are passed over',
    ['params', 'lists'],
    misread({}, (query) => {
      for (const name of numbers) if (!isNumber(query.get(name))) query.delete(name);
    }),
  ),
  fault('a read after a write to a subresource is answered from before it', ['get', 'rv', 'verbs'], stale),
  fault('an update of a status has to state its version', ['verbs', 'rv', 'meta'], demandsVersion),
  fault(
    'a rehearsed apply to a scale is real',
    ['dryrun', 'apply'],
    ignoreQuery('dryRun', { method: 'PATCH', path: /\/scale$/, header: { 'content-type': /apply/ } }),
  ),
  fault('a rehearsed delete with preconditions is real', ['dryrun', 'params'], rehearsedInBody),
  fault(
    'containers that are added to a running pod are added though it is only rehearsed',
    ['dryrun'],
    ignoreQuery('dryRun', { path: /\/ephemeralcontainers$/ }),
  ),
  fault(
    'a rehearsed patch of the scale of custom objects is real',
    ['dryrun'],
    ignoreQuery('dryRun', { method: 'PATCH', path: /touchstone\.example.*\/scale$/ }),
  ),
  fault(
    'a rehearsed deletecollection by fields is real',
    ['dryrun', 'params'],
    ignoreQuery('dryRun', { method: 'DELETE', query: { fieldSelector: true } }),
  ),
  fault(
    'a charset with a patch is refused',
    ['content', 'verbs'],
    answerWith(415, statusObject(415, 'UnsupportedMediaType'), {
      method: 'PATCH',
      header: { 'content-type': /charset/ },
    }),
  ),
  fault(
    'a patch without a type is a merge patch',
    ['content', 'verbs'],
    requestHeader('content-type', 'application/merge-patch+json', {
      method: 'PATCH',
      header: { 'content-type': /^$/ },
    }),
  ),
  fault('discovery tells no categories', ['paths', 'versioning'], removeIn('resources.*.categories')),
  fault(
    'a description of the API is sent anew to who has it',
    ['paths', 'versioning', 'content'],
    requestHeader('if-none-match', undefined, { path: /^\/openapi/ }),
  ),
  fault('an unknown subresource is the object', ['paths', 'verbs', 'responses'], unknownBelow),
  fault('a POST to an object is one to its collection', ['verbs', 'paths', 'responses'], postToItem),
  fault(
    'causes do not say at which position a field is',
    ['errors', 'responses', 'ingress'],
    changeAnswer('', withoutPositions, { method: ['POST', 'PUT', 'PATCH'] }),
  ),
  fault('a timeout is not looked at', ['params'], ignoreQuery('timeout')),
  fault('nothing is printed prettily', ['params', 'content'], ignoreQuery('pretty')),
  fault('what is made anew under its name is told as modified', ['watch', 'service'], knowsNames),
  fault(
    'a watch of a custom type everywhere ignores its version',
    ['watch', 'rv'],
    ignoreQuery('resourceVersion', { ...watches, path: /touchstone\.example\/[^/]+\/[a-z0-9]+$/ }),
  ),
  fault('a watch of one name hears of names that begin with it', ['watch', 'lists'], byPrefix),
  fault(
    'a list of all namespaces by fields forgets the labels',
    ['lists', 'params'],
    ignoreQuery('labelSelector', { method: 'GET', path: /^((?!\/namespaces\/).)*$/, query: { fieldSelector: true } }),
  ),
  fault(
    'lists leave out what is being deleted',
    ['lists', 'deletion', 'collections'],
    changeAnswer(
      '',
      (body) =>
        Array.isArray(body?.items)
          ? { ...body, items: body.items.filter((one: Json) => !one.metadata?.deletionTimestamp) }
          : body,
      { method: 'GET' },
    ),
  ),
  fault('every twenty-fifth change is lost to who watches', ['watch', 'service'], losesSome),
  fault('the answer to a watch has no audit id', ['audit', 'watch'], answerHeader('audit-id', undefined, watches)),
  fault(
    'orphanDependents among the parameters is not heeded',
    ['params', 'deletion'],
    ignoreQuery('orphanDependents', { method: 'DELETE' }),
  ),
  fault(
    'gracePeriodSeconds among the parameters is not heeded',
    ['params', 'deletion'],
    ignoreQuery('gracePeriodSeconds', { method: 'DELETE' }),
  ),
  fault(
    'groups to act with are read in small letters',
    ['impersonate'],
    mishear('impersonate-group', (groups) => groups.map((group) => group.toLowerCase())),
  ),
  fault(
    'Strict is a warning in patches of custom objects',
    ['fields', 'params'],
    forceQuery('fieldValidation', 'Warn', { method: 'PATCH', path: custom, query: { fieldValidation: 'Strict' } }),
  ),
];
