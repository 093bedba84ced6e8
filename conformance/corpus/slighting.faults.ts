import { edited } from '../sabotage/edited.ts';
import {
  answerHeader,
  answerStatus,
  answerWith,
  changeAnswer,
  changeEvent,
  changeRequest,
  changeText,
  ignoreQuery,
  notFound,
  removeIn,
  requestHeader,
  statusObject,
  swallowEvent,
} from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { type Fault, fault } from './fault.ts';
import { misread } from './meddling.ts';

/** What is right in the usual place, and was left as it was in one beside it. */

const everywhere = /^\/apis?\/(?!.*\/namespaces\/)/;
const watches = { method: 'GET', query: { watch: true } };
const requests = /\/certificatesigningrequests$/;
const applying = { 'content-type': /apply/ };
const inYaml = { accept: /^application\/yaml/ };

const without = (name: string, { [name]: _, ...rest }: Json): Json => rest;

/** Of those who have written through /scale nothing says so. */
const unscaled = (body: Json): Json =>
  edited(body, ['metadata', 'managedFields'], (entries) =>
    entries?.map((entry: Json) => (entry.subresource === 'scale' ? without('subresource', entry) : entry)),
  );

export const slightingFaults: readonly Fault[] = [
  fault(
    'pages of a Table lead nowhere',
    ['lists', 'content'],
    removeIn('metadata.continue', { method: 'GET', header: { accept: /as=Table/ } }),
  ),
  fault(
    'a list of exactly one version does not look at fields',
    ['lists', 'rv', 'params'],
    ignoreQuery('fieldSelector', { method: 'GET', query: { resourceVersionMatch: 'Exact' } }),
  ),
  fault(
    'of a selection by fields it is told how many remain',
    ['lists'],
    changeAnswer(
      '',
      (body) => (body?.metadata?.continue ? edited(body, ['metadata', 'remainingItemCount'], () => 1) : body),
      { method: 'GET', query: { fieldSelector: true, labelSelector: false } },
    ),
  ),
  fault(
    'bookmarks do not tell their kind',
    ['watch'],
    changeEvent(
      '',
      (event) => [event.type === 'BOOKMARK' ? { ...event, object: without('kind', event.object) } : event],
      watches,
    ),
  ),
  fault(
    'a watch from a version begins with the change that made it',
    ['watch', 'rv'],
    misread({ ...watches, query: { watch: true, resourceVersion: /^[1-9]\d*$/ } }, (query) =>
      query.set('resourceVersion', String(Number(query.get('resourceVersion')) - 1)),
    ),
  ),
  fault(
    'a deletecollection does not look in its body for what is a rehearsal',
    ['dryrun', 'params'],
    changeRequest('', (body) => without('dryRun', body), { method: 'DELETE', query: { labelSelector: true } }),
  ),
  fault(
    'a delete is bound to a uid and never to a version',
    ['params', 'deletion'],
    changeRequest(
      '',
      (body) => edited(body, ['preconditions'], (all) => (all ? without('resourceVersion', all) : undefined)),
      { method: 'DELETE' },
    ),
  ),
  fault(
    'how what is owned goes cannot be said in the query',
    ['params', 'deletion'],
    ignoreQuery('propagationPolicy', { method: 'DELETE' }),
  ),
  fault(
    'Strict is not heeded in YAML',
    ['fields'],
    ignoreQuery('fieldValidation', { header: { 'content-type': /application\/yaml/ } }),
  ),
  fault(
    'a merge patch warns of no unknown field',
    ['fields'],
    answerHeader('warning', undefined, { method: 'PATCH', header: { 'content-type': /merge-patch/ } }),
  ),
  fault(
    'who creates is known by his program alone',
    ['apply', 'params'],
    ignoreQuery('fieldManager', { method: 'POST' }),
  ),
  fault(
    'managers through a Scale are booked as others are',
    ['apply'],
    changeAnswer('', unscaled, { path: /\/(deployments|replicasets|statefulsets)\/[^/]+(\/scale)?$/ }),
  ),
  fault(
    'an apply that makes something is 200',
    ['responses', 'apply'],
    answerStatus(200, { method: 'PATCH', header: applying, instead: 201 }),
  ),
  fault(
    'a rehearsed create is 200',
    ['dryrun', 'responses'],
    answerStatus(200, { method: 'POST', query: { dryRun: 'All' }, instead: 201 }),
  ),
  fault(
    'a check of health that there is not is well',
    ['health'],
    answerStatus(200, { path: /^\/(livez|readyz)\/[^/]+$/, instead: 404 }),
  ),
  fault(
    'checks that are left out are not spoken of',
    ['health'],
    changeText('', (text) => text.replaceAll(/^\[\+\]\S+ excluded: ok\n/gm, ''), {
      path: /^\/(livez|readyz|healthz)$/,
    }),
  ),
  fault(
    'who watches requests by signer hears of all',
    ['csr', 'params', 'watch'],
    ignoreQuery('fieldSelector', { ...watches, path: requests }),
  ),
  fault(
    'requests cannot be deleted all at once',
    ['csr', 'verbs', 'params'],
    answerWith(405, statusObject(405, 'MethodNotAllowed'), { method: 'DELETE', path: requests }),
  ),
  fault(
    'the status of an Ingress takes JSON patches alone',
    ['ingress', 'verbs'],
    answerWith(415, statusObject(415, 'UnsupportedMediaType'), {
      method: 'PATCH',
      path: /\/ingresses\/[^/]+\/status$/,
      header: { 'content-type': /merge-patch/ },
    }),
  ),
  fault(
    'Events of all namespaces do not tell their series',
    ['event', 'kinds'],
    removeIn('items.*.series', { method: 'GET', path: /^\/apis\/events\.k8s\.io\/v1\/events$/ }),
  ),
  fault(
    'lists of slices do not tell for which zones an endpoint is',
    ['endpointslice', 'kinds'],
    removeIn('items.*.endpoints.*.hints', { method: 'GET', path: /\/endpointslices$/ }),
  ),
  fault(
    'the completed indexes of a Job are not patched',
    ['job', 'kinds'],
    changeRequest('', (body) => edited(body, ['status', 'completedIndexes'], () => undefined), {
      method: 'PATCH',
      path: /\/jobs\/[^/]+\/status$/,
      header: { 'content-type': /merge-patch/ },
    }),
  ),
  fault(
    'the status of a namespace cannot be read',
    ['namespace', 'paths'],
    notFound({ method: 'GET', path: /\/namespaces\/[^/]+\/status$/ }),
  ),
  fault(
    'who watches the roles of all namespaces hears of no change',
    ['role', 'watch'],
    swallowEvent('MODIFIED', { ...watches, path: /^\/apis\/[^/]+\/v1\/roles$/ }),
  ),
  fault(
    'one object is told however late the version that is asked for',
    ['rv', 'get'],
    ignoreQuery('resourceVersion', {
      method: 'GET',
      query: { resourceVersion: /^\d{9,}$/, watch: false, limit: false },
    }),
  ),
  fault(
    'a version beside a token is overlooked',
    ['rv', 'lists', 'errors'],
    ignoreQuery('resourceVersion', { method: 'GET', query: { continue: true, resourceVersion: /^[1-9]/ } }),
  ),
  fault(
    'a deletecollection overlooks a match without a version',
    ['rv', 'params'],
    ignoreQuery('resourceVersionMatch', { method: 'DELETE', query: { resourceVersion: false } }),
  ),
  fault(
    'columns of a Table of several have no type',
    ['content'],
    changeAnswer(
      '',
      (body) =>
        body?.kind === 'Table' && body.rows?.length > 1
          ? { ...body, columnDefinitions: body.columnDefinitions?.map((column: Json) => without('type', column)) }
          : body,
      { method: 'GET' },
    ),
  ),
  fault('YAML is said to be JSON', ['content'], answerHeader('content-type', 'application/json', { header: inYaml })),
  fault(
    'what a patch makes comes in JSON, whatever was asked for',
    ['content'],
    requestHeader('accept', 'application/json', { method: 'PATCH', header: { accept: /protobuf/ } }),
  ),
  fault(
    'of what webhooks warn a delete is told nothing',
    ['webhook'],
    answerHeader('warning', undefined, { method: 'DELETE' }),
  ),
  fault(
    'an object that is there without a namespace is watched by name in vain',
    ['watch', 'params'],
    swallowEvent('MODIFIED', {
      ...watches,
      path: everywhere,
      query: { watch: true, fieldSelector: /^metadata\.name=/ },
    }),
  ),
];
