import { edited } from '../sabotage/edited.ts';
import {
  answerWith,
  changeAnswer,
  changeEvent,
  changeRequest,
  ignoreQuery,
  notFound,
  removeIn,
  requestHeader,
  statusObject,
} from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { type Fault, fault } from './fault.ts';
import { misread } from './meddling.ts';

/** What a gateway or a fake takes for something else, for one kind or below one of them. */

const requests = /\/certificatesigningrequests$/;
const jobStatus = /\/jobs\/[^/]+\/status$/;
const newEvents = /^\/apis\/events\.k8s\.io\/.*\/events$/;
const applying = { 'content-type': /apply-patch/ };
const unsupported = answerWith.bind(undefined, 415, statusObject(415, 'UnsupportedMediaType'));

/** A time to the millisecond, told as one to the microsecond. */
const coarse = (time: Json): Json => (typeof time === 'string' ? time.replace(/(\.\d{3})\d{3}Z$/, '$1000Z') : time);

const coarseSeries = (body: Json): Json =>
  body?.series?.lastObservedTime ? edited(body, ['series', 'lastObservedTime'], coarse) : body;

/** How what is owned shall go is the body's or the query's affair. */
const inBackground = (body: Json): Json =>
  body?.propagationPolicy === 'Foreground' ? { ...body, propagationPolicy: 'Background' } : body;

export const mistakingFaults: readonly Fault[] = [
  fault(
    'requests that are not of a signer are those that are',
    ['csr', 'params'],
    misread({ method: ['GET', 'DELETE'], path: requests, query: { fieldSelector: /!=/ } }, (query) =>
      query.set('fieldSelector', (query.get('fieldSelector') ?? '').replace('!=', '=')),
    ),
  ),
  fault(
    'who watches Events in the new way hears of no old ones',
    ['event', 'watch'],
    changeEvent('', (event) => (event.type === 'BOOKMARK' || event.object?.eventTime ? [event] : []), {
      method: 'GET',
      path: newEvents,
      query: { watch: true },
    }),
  ),
  fault(
    'a strategic patch of the status of a Job replaces its conditions',
    ['job', 'verbs'],
    requestHeader('content-type', 'application/merge-patch+json', {
      method: 'PATCH',
      path: jobStatus,
      header: { 'content-type': /strategic/ },
    }),
  ),
  fault(
    'when a series was seen last is told to the millisecond',
    ['event', 'kinds'],
    changeAnswer('', coarseSeries, { path: /\/events\/[^/]+$/ }),
  ),
  fault(
    'all namespaces can be deleted at once',
    ['namespace', 'verbs'],
    answerWith(
      200,
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' },
      {
        method: 'DELETE',
        path: /^\/api\/v1\/namespaces$/,
      },
    ),
  ),
  fault(
    'the approval of a request cannot be read',
    ['csr', 'verbs'],
    notFound({ method: 'GET', path: /\/certificatesigningrequests\/[^/]+\/approval$/ }),
  ),
  fault(
    'the status of a Job cannot be applied',
    ['job', 'apply', 'verbs'],
    unsupported({ method: 'PATCH', path: jobStatus, header: applying }),
  ),
  fault(
    'the status of a custom object cannot be applied',
    ['apply', 'verbs', 'service'],
    unsupported({ method: 'PATCH', path: /touchstone\.example.*\/status$/, header: applying }),
  ),
  fault(
    'the status of a Job is replaced by who tells its version alone',
    ['job', 'rv', 'verbs'],
    answerWith(409, statusObject(409, 'Conflict'), {
      method: 'PUT',
      path: jobStatus,
      body: /^(?![\s\S]*"resourceVersion")/,
    }),
  ),
  fault(
    'a list of requests keeps their certificates to itself',
    ['csr', 'kinds'],
    removeIn('items.*.status.certificate', { method: 'GET', path: requests }),
  ),
  fault(
    'Roles of all namespaces are listed whatever their labels',
    ['role', 'lists', 'params'],
    ignoreQuery('labelSelector', { method: 'GET', path: /^\/apis\/[^/]+\/v1\/roles$/, query: { watch: false } }),
  ),
  fault(
    'a Job is never deleted in the foreground',
    ['job', 'deletion'],
    changeRequest('', inBackground, { method: 'DELETE', path: /\/jobs\/[^/]+$/ }),
  ),
];
