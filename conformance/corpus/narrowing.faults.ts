import { edited } from '../sabotage/edited.ts';
import {
  answerStatus,
  changeAnswer,
  changeEvent,
  changeRequest,
  editEvent,
  forceQuery,
  ignoreQuery,
  removeIn,
  requestHeader,
} from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { type Fault, fault } from './fault.ts';
import { misread, remembering, watching } from './meddling.ts';

/** What goes wrong with one kind, by one verb, in one form or from one place on. */

const watches = { method: 'GET', query: { watch: true } };
const items = (resource: string): RegExp => new RegExp(`/${resource}/[^/]+$`);
const all = (resource: string): RegExp => new RegExp(`/${resource}$`);
const table = { accept: /as=Table/ };
const merging = { 'content-type': /merge-patch/ };

/** How many remain is told once, and told again with every page. */
const sameRest = remembering(() => {
  const told = new Map<string, number>();
  return (body, { path, query }) => {
    if (body?.metadata?.remainingItemCount === undefined) return body;
    if (!query.has('continue')) told.set(path, body.metadata.remainingItemCount);
    return { ...body, metadata: { ...body.metadata, remainingItemCount: told.get(path) } };
  };
});

/** An update is answered with the version that was there before. */
const oldVersion = remembering(() => {
  const last = new Map<string, string>();
  return (body, { method, path }) => {
    const version = body?.metadata?.resourceVersion;
    if (!/\/leases\/[^/]+$/.test(path) || version === undefined) return body;
    const before = last.get(path);
    last.set(path, version);
    return method === 'PUT' && before ? { ...body, metadata: { ...body.metadata, resourceVersion: before } } : body;
  };
});

const missesFirst = watching(() => {
  const begun = new WeakSet<object>();
  return {
    event: (event, request) => {
      if (!/\/ingresses$/.test(request.path) || !request.query.get('resourceVersion') || begun.has(request))
        return [event];
      begun.add(request);
      return event.type === 'ADDED' ? [event] : [];
    },
  };
});

/** Objects that bear a second finalizer lose it. */
const oneFinalizer = (body: Json): Json =>
  body?.metadata?.finalizers?.length > 1 ? edited(body, ['metadata', 'finalizers'], (all) => all.slice(0, 1)) : body;

const young = remembering(() => {
  let count = 0;
  return (body, { method, path }) =>
    method === 'PUT' && items('roles').test(path) && body?.metadata?.creationTimestamp
      ? edited(
          body,
          ['metadata', 'creationTimestamp'],
          () => `2030-01-01T00:00:${String(++count % 60).padStart(2, '0')}Z`,
        )
      : body;
});

const repeated = remembering(() => {
  let last: Json;
  let page = 0;
  return (body, { method, query }) => {
    if (method !== 'GET' || !Array.isArray(body?.items)) return body;
    page = query.has('continue') ? page + 1 : 1;
    const before = last;
    last = body.items.at(-1);
    return page === 3 && before ? { ...body, items: [before, ...body.items] } : body;
  };
});

export const narrowingFaults: readonly Fault[] = [
  fault('every page tells that as many remain as the first', ['lists'], sameRest),
  fault('a limit of one gives no token', ['lists', 'params'], removeIn('metadata.continue', { query: { limit: '1' } })),
  fault('the third page begins with the last item of the second', ['lists'], repeated),
  fault(
    'the removal of a Role is told without its labels',
    ['watch', 'service'],
    changeEvent(
      '',
      (event) => [event.type === 'DELETED' ? edited(event, ['object', 'metadata', 'labels'], () => undefined) : event],
      { ...watches, path: all('roles') },
    ),
  ),
  fault(
    'bookmarks of custom types are of the kind of their list',
    ['watch'],
    changeEvent(
      '',
      (event) => [event.type === 'BOOKMARK' ? edited(event, ['object', 'kind'], (kind) => `${kind}List`) : event],
      { ...watches, path: /touchstone\.example/ },
    ),
  ),
  fault('a watch of Ingresses that takes up again misses the first change', ['watch', 'service'], missesFirst),
  fault('an update of a Lease is answered with the version before', ['rv', 'verbs', 'responses'], oldVersion),
  fault(
    'a rehearsed update of a slice is real',
    ['dryrun'],
    ignoreQuery('dryRun', { method: 'PUT', path: items('endpointslices') }),
  ),
  fault(
    'a rehearsed JSON patch of the status of an Ingress is real',
    ['dryrun'],
    ignoreQuery('dryRun', {
      method: 'PATCH',
      path: /\/ingresses\/[^/]+\/status$/,
      header: { 'content-type': /json-patch/ },
    }),
  ),
  fault(
    'a rehearsed create of an Event has no uid',
    ['dryrun', 'meta'],
    removeIn('metadata.uid', { method: 'POST', path: all('events'), query: { dryRun: true } }),
  ),
  fault(
    'an apply to a ClusterRole never conflicts',
    ['apply', 'errors'],
    forceQuery('force', 'true', {
      method: 'PATCH',
      path: items('clusterroles'),
      header: { 'content-type': /apply/ },
    }),
  ),
  fault(
    'a conflict of an apply to a slice is 422',
    ['apply', 'errors'],
    answerStatus(422, {
      method: 'PATCH',
      path: items('endpointslices'),
      header: { 'content-type': /apply/ },
      instead: 409,
    }),
  ),
  fault(
    'an apply that makes a cluster-scoped custom object answers 200',
    ['responses', 'apply'],
    answerStatus(200, {
      method: 'PATCH',
      path: /touchstone\.example\/v1\/[a-z0-9]+\/[^/]+$/,
      header: { 'content-type': /apply/ },
      instead: 201,
    }),
  ),
  fault(
    'what is applied to Secrets is booked as an update',
    ['apply'],
    changeAnswer('', (body) => edited(body, ['metadata', 'managedFields', '*', 'operation'], () => 'Update'), {
      path: items('secrets'),
    }),
  ),
  fault(
    'Strict is not heeded where a Role is replaced',
    ['fields'],
    ignoreQuery('fieldValidation', { method: 'PUT', path: items('roles') }),
  ),
  fault(
    'the warning of an unknown field is lost where a Job is patched',
    ['fields'],
    forceQuery('fieldValidation', 'Ignore', {
      method: 'PATCH',
      path: items('jobs'),
      query: { fieldValidation: 'Warn' },
    }),
  ),
  fault(
    'a Role cannot be had in protobuf',
    ['content'],
    requestHeader('accept', 'application/json', {
      method: 'GET',
      path: items('roles'),
      header: { accept: /protobuf/ },
    }),
  ),
  fault(
    'a Table of Jobs has a cell too many',
    ['content'],
    changeAnswer('', (body) => edited(body, ['rows', '*', 'cells'], (cells) => [...cells, 'more']), {
      method: 'GET',
      path: all('jobs'),
      header: table,
    }),
  ),
  fault(
    'a delete of an Ingress answers the object',
    ['responses', 'ingress'],
    changeAnswer(
      '',
      (body) => (body?.kind === 'Status' ? { ...body, kind: 'Ingress', apiVersion: 'networking.k8s.io/v1' } : body),
      {
        method: 'DELETE',
        path: items('ingresses'),
      },
    ),
  ),
  fault(
    'a deletecollection of Leases answers 202',
    ['responses', 'verbs'],
    answerStatus(202, { method: 'DELETE', path: all('leases'), instead: 200 }),
  ),
  fault('an update of a Role gives it another time of creation', ['meta'], young),
  fault(
    'a slice has one finalizer at most',
    ['meta', 'deletion'],
    changeRequest('', oneFinalizer, { method: ['POST', 'PUT', 'PATCH'], path: /\/endpointslices/ }),
  ),
  fault(
    'a token that nobody knows is 403 where something is patched',
    ['responses', 'authn'],
    answerStatus(403, { method: 'PATCH', instead: 401 }),
  ),
  fault(
    'extra values to act with are lost where something is deleted',
    ['impersonate'],
    requestHeader('impersonate-extra-colour', undefined, { method: 'DELETE' }),
  ),
  fault(
    'the message of an approval is lost',
    ['csr'],
    removeIn('status.conditions.*.message', { path: /\/certificatesigningrequests\/[^/]+(\/approval)?$/ }),
  ),
  fault(
    'an exact path of an Ingress is told as a prefix',
    ['ingress'],
    changeAnswer(
      '',
      (body) =>
        edited(body, ['spec', 'rules', '*', 'http', 'paths', '*', 'pathType'], (type) =>
          type === 'Exact' ? 'Prefix' : type,
        ),
      { path: items('ingresses') },
    ),
  ),
  fault(
    'a merge patch of a slice forgets the protocol of its applications',
    ['endpointslice', 'verbs'],
    changeAnswer('', (body) => edited(body, ['ports', '*', 'appProtocol'], () => undefined), {
      method: 'PATCH',
      path: items('endpointslices'),
      header: merging,
    }),
  ),
  fault(
    'a Role that is replaced holds for every name',
    ['role', 'verbs'],
    changeRequest('', (body) => edited(body, ['rules', '*', 'resourceNames'], () => undefined), {
      method: 'PUT',
      path: items('roles'),
    }),
  ),
  fault(
    'what is added to a watch of Events has no type',
    ['watch', 'event'],
    editEvent('object.type', { ...watches, path: all('events') }),
  ),
  fault(
    'an empty dryRun among others is none',
    ['dryrun', 'params'],
    misread({ query: { dryRun: true } }, (query) => {
      if (query.getAll('dryRun').length > 1) query.delete('dryRun');
    }),
  ),
];
