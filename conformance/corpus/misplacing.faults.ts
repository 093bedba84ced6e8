import { edited } from '../sabotage/edited.ts';
import type { ProxiedAnswer } from '../sabotage/sabotage.ts';
import {
  answerHeader,
  answerWith,
  changeAnswer,
  changeEvent,
  changeRequest,
  ignoreQuery,
  redirectPath,
  removeIn,
  requestHeader,
  sabotage,
  statusObject,
} from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { type Fault, fault } from './fault.ts';
import { jsonOf, misread, watching, wherever } from './meddling.ts';

/** What is right by itself, and wrong for one verb, scope, type, form or time: as gateways, fakes and caches have it. */

const custom = /touchstone\.example/;
const writes = ['POST', 'PUT', 'PATCH'];
const inProtobuf = { accept: /protobuf/ };
const asTable = { header: { accept: /as=Table/ } };

/** The collection and the items of what has no namespace, namespaces themselves among them. */
const clusterCollection = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/[a-z]+$/;
const clusterItem = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/[a-z]+\/[^/]+$/;

/** Where things in namespaces are listed that are in any of them. */
const namespacedEverywhere =
  /^\/(?:api\/v1\/(?:secrets|configmaps|pods|services|events|serviceaccounts)|apis\/(?:[^/]+\/v1)\/(?:jobs|ingresses|endpointslices|leases|roles|rolebindings|deployments|events))$/;

const without = (name: string, { [name]: _, ...rest }: Json): Json => rest;

const firstLimit = sabotage('keeps the limit in the token', () => {
  const limits = new Map<string, string>();
  return {
    request: (request) => {
      const limit = request.query.get('limit');
      if (request.method !== 'GET' || limit === null) return request;
      if (!request.query.has('continue')) {
        limits.set(request.path, limit);
        return request;
      }
      const query = new URLSearchParams(request.query);
      query.set('limit', limits.get(request.path) ?? limit);
      return { ...request, query, rawQuery: query.toString() };
    },
  };
});

/** What a client is told of an object is taken from the first that it was told of this name. */
const knowsUids = watching(() => {
  const known = new Map<string, string>();
  return {
    event: (event) => {
      const { namespace = '', name, uid } = event.object?.metadata ?? {};
      if (!name || !uid) return [event];
      const key = `${event.object.apiVersion} ${event.object.kind} ${namespace}/${name}`;
      if (!known.has(key)) known.set(key, uid);
      return [edited(event, ['object', 'metadata', 'uid'], () => known.get(key))];
    },
  };
});

/** Milliseconds for which a name that was given up is not given to others. */
const rest = 5_000;

const keepsNames = sabotage('keeps names', () => {
  const gone = new Map<string, number>();
  return {
    request: (request) => {
      if (request.method !== 'POST' || !clusterCollection.test(request.path)) return request;
      const name = jsonOf(request.body)?.metadata?.name;
      const since = gone.get(`${request.path}/${name}`) ?? Number.NEGATIVE_INFINITY;
      if (Date.now() - since > rest) return request;
      const body = Buffer.from(JSON.stringify(statusObject(409, 'AlreadyExists')));
      return { status: 409, headers: { 'content-type': 'application/json' }, body };
    },
    answer: (answer, { method, path }) => {
      if (method === 'DELETE' && answer.status === 200 && clusterItem.test(path)) gone.set(path, Date.now());
      return answer;
    },
  };
});

const plainRefusal = sabotage('refuses in plain text', () => ({
  answer: (answer): ProxiedAnswer =>
    answer.status === 401
      ? { ...answer, headers: { 'content-type': 'text/plain' }, body: Buffer.from('Unauthorized') }
      : answer,
}));

/** Several warnings are put together in the text of the first. */
const oneWarning = sabotage('joins warnings', () => ({
  answer: (answer) => {
    const { warning } = answer.headers;
    if (typeof warning === 'string' || warning === undefined) return answer;
    const texts = warning.map((each) => each.replace(/^299 \S+ "(.*)"$/s, '$1'));
    return { ...answer, headers: { ...answer.headers, warning: `299 - "${texts.join(', ')}"` } };
  },
}));

const echoesStatus = sabotage('answers what was sent', () => ({
  answer: (answer, request) => {
    const sent = jsonOf(request.body);
    const body = jsonOf(answer.body);
    if (request.method !== 'PUT' || !request.path.endsWith('/status') || answer.status !== 200 || !sent) return answer;
    const metadata = { ...sent.metadata, resourceVersion: body?.metadata?.resourceVersion };
    return { ...answer, body: Buffer.from(JSON.stringify({ ...sent, metadata })) };
  },
}));

/** Of a new custom object it is told what was sent. */
const echoesSpec = sabotage('answers what was sent', () => ({
  answer: (answer, request) => {
    const sent = jsonOf(request.body);
    const body = jsonOf(answer.body);
    if (request.method !== 'POST' || !custom.test(request.path) || answer.status !== 201 || !sent?.spec) return answer;
    return { ...answer, body: Buffer.from(JSON.stringify({ ...body, spec: sent.spec })) };
  },
}));

const unpatchable = (resource: Json): Json =>
  resource.name.endsWith('/status')
    ? { ...resource, verbs: resource.verbs.filter((verb: string) => verb !== 'patch') }
    : resource;

export const misplacingFaults: readonly Fault[] = [
  fault('every page is as long as the first, whatever limit it is asked with', ['lists', 'params'], firstLimit),
  fault(
    'a token without a limit begins anew',
    ['lists', 'params'],
    misread({ method: 'GET', query: { continue: true, limit: false } }, (query) => query.delete('continue')),
  ),
  fault(
    'custom objects are listed without regard to fields',
    ['lists', 'params'],
    ignoreQuery('fieldSelector', { method: 'GET', path: custom, query: { watch: false } }),
  ),
  fault(
    'a Table of nothing has no list of rows',
    ['content', 'collections'],
    changeAnswer(
      '',
      (body) => (body?.kind === 'Table' && body.rows?.length === 0 ? { ...body, rows: null } : body),
      asTable,
    ),
  ),
  fault(
    'a limit of nought shows nothing',
    ['lists', 'params'],
    changeAnswer('', (body) => (Array.isArray(body?.items) ? { ...body, items: [] } : body), {
      method: 'GET',
      query: { limit: '0' },
    }),
  ),
  fault('what is made anew is watched with the uid that its name had before', ['watch', 'meta', 'names'], knowsUids),
  fault(
    'who watches is not told since when something is going',
    ['watch', 'deletion'],
    changeEvent(
      '',
      (event) => [
        event.type === 'MODIFIED' ? edited(event, ['object', 'metadata', 'deletionTimestamp'], () => undefined) : event,
      ],
      { method: 'GET' },
    ),
  ),
  fault(
    'a rehearsed JSON patch of what has no namespace is real',
    ['dryrun'],
    ignoreQuery('dryRun', { method: 'PATCH', path: clusterItem, header: { 'content-type': /json-patch/ } }),
  ),
  fault(
    'who only rehearses is not warned of unknown fields',
    ['fields', 'dryrun'],
    answerHeader('warning', undefined, { method: writes, query: { dryRun: 'All' } }),
  ),
  fault(
    'Strict is not heeded where something without a namespace is made',
    ['fields'],
    ignoreQuery('fieldValidation', { method: 'POST', path: clusterCollection }),
  ),
  fault('all unknown fields are told in one warning', ['fields'], oneWarning),
  fault(
    'any word for the validation of fields that is not known is Warn',
    ['fields', 'params'],
    misread({ query: { fieldValidation: /^(?!(Ignore|Warn|Strict)$)/ } }, (query) => query.delete('fieldValidation')),
  ),
  fault(
    'lists do not tell who manages what',
    ['apply', 'lists'],
    removeIn('items.*.metadata.managedFields', { method: 'GET' }),
  ),
  fault(
    'that a version is too large is told as a timeout',
    ['rv', 'errors'],
    wherever((body) => (body?.code === 504 ? { ...body, message: 'Timeout', details: {} } : body)),
  ),
  fault(
    'what becomes of a delete comes in JSON, whatever was asked for',
    ['content', 'deletion'],
    requestHeader('accept', 'application/json', { method: 'DELETE', header: inProtobuf }),
  ),
  fault(
    'times in columns are texts',
    ['content'],
    changeAnswer(
      '',
      (body) =>
        body?.kind === 'Table'
          ? edited(body, ['columnDefinitions', '*', 'type'], (type) => (type === 'date' ? 'string' : type))
          : body,
      asTable,
    ),
  ),
  fault(
    'a Scale comes in JSON, whatever was asked for',
    ['content', 'service'],
    requestHeader('accept', 'application/json', { path: /\/scale$/, header: inProtobuf }),
  ),
  fault(
    'a status is not read from protobuf',
    ['content'],
    answerWith(415, statusObject(415, 'UnsupportedMediaType'), {
      method: 'PUT',
      path: /\/status$/,
      header: { 'content-type': /protobuf/ },
    }),
  ),
  fault(
    'the time of a deletion is told to the millisecond',
    ['deletion', 'meta'],
    wherever((body) =>
      edited(body, ['metadata', 'deletionTimestamp'], (time) =>
        typeof time === 'string' ? time.replace(/Z$/, '.000Z') : time,
      ),
    ),
  ),
  fault(
    'what a name was made from is forgotten',
    ['meta', 'names'],
    wherever((body) => edited(body, ['metadata', 'generateName'], () => undefined)),
  ),
  fault(
    'the name of something without a namespace cannot be used again for a while',
    ['names', 'deletion'],
    keepsNames,
  ),
  fault('a deletecollection does not heed its limit', ['params', 'verbs'], ignoreQuery('limit', { method: 'DELETE' })),
  fault(
    'that the name of a custom object is taken is told as a conflict',
    ['errors', 'names', 'responses'],
    changeAnswer('', (body) => (body?.reason === 'AlreadyExists' ? { ...body, reason: 'Conflict' } : body), {
      method: 'POST',
      path: custom,
    }),
  ),
  fault('who is not known is told so in plain text', ['errors', 'responses', 'authn'], plainRefusal),
  fault(
    'discovery does not say that a status can be patched',
    ['verbs', 'paths', 'versioning'],
    wherever((body) =>
      body?.kind === 'APIResourceList' ? { ...body, resources: body.resources.map(unpatchable) } : body,
    ),
  ),
  fault(
    'discovery tells of every custom type that it is in namespaces',
    ['paths', 'versioning'],
    wherever(
      (body) => (body?.kind === 'APIResourceList' ? edited(body, ['resources', '*', 'namespaced'], () => true) : body),
      custom,
    ),
  ),
  fault(
    'what is made without saying in which namespace is made in the default one',
    ['paths', 'verbs', 'params'],
    redirectPath(/\/([a-z]+)$/, '/namespaces/default/$1', { method: 'POST', path: namespacedEverywhere }),
  ),
  fault('an update of a status is answered with what was sent', ['verbs', 'responses', 'paths'], echoesStatus),
  fault('a new custom object is answered without its defaults', ['responses', 'fields', 'kinds'], echoesSpec),
  fault(
    'false is lost in what is said of owners',
    ['meta'],
    changeRequest(
      '',
      (body) =>
        edited(body, ['metadata', 'ownerReferences', '*'], (owner) =>
          owner?.blockOwnerDeletion === false ? without('blockOwnerDeletion', owner) : owner,
        ),
      { body: /"blockOwnerDeletion":false/ },
    ),
  ),
];
