import { edited } from '../sabotage/edited.ts';
import {
  changeAnswer,
  changeRequest,
  ignoreQuery,
  redirectPath,
  removeIn,
  requestHeader,
  sabotage,
  statusObject,
} from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { type Fault, fault, slip } from './fault.ts';
import { jsonOf, misread, watching, wherever } from './meddling.ts';

/** What is right where one looks first, and wrong at the next step: below, again, in part, behind an escape. */

const watches = { method: 'GET', query: { watch: true } };
const inPart = /^PartialObjectMetadata/;
const refusal = (code: number, reason: string) => ({
  status: code,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(statusObject(code, reason))),
});

/** Whoever watches is not told of what was written through a Scale. */
const silentScale = watching(() => {
  const scaled = new Set<string>();
  return {
    request: ({ method, path }) => {
      const [, name] = /\/([^/]+)\/scale$/.exec(path) ?? [];
      if (name && method !== 'GET') scaled.add(name);
    },
    event: (event) => (event.type === 'MODIFIED' && scaled.delete(event.object?.metadata?.name) ? [] : [event]),
  };
});

/** What a delete has only marked is missing for the next one. */
const deletesOnce = sabotage('deletes once', () => {
  const marked = new Set<string>();
  return {
    request: (request) =>
      request.method === 'DELETE' && marked.has(request.path) ? refusal(404, 'NotFound') : request,
    answer: (answer, { method, path, query, body }) => {
      const isMarked = method === 'DELETE' && jsonOf(answer.body)?.metadata?.deletionTimestamp !== undefined;
      if (isMarked && !query.has('dryRun') && !body.includes('dryRun')) marked.add(path);
      return answer;
    },
  };
});

const emptyIsMissing = sabotage('finds nothing', () => ({
  answer: (answer, { method }) =>
    method === 'DELETE' && answer.status === 200 && jsonOf(answer.body)?.items?.length === 0
      ? refusal(404, 'NotFound')
      : answer,
}));

const partsOf = (body: Json, change: (metadata: Json) => Json): Json => {
  if (!inPart.test(body?.kind ?? '')) return body;
  return body.items ? edited(body, ['items', '*', 'metadata'], change) : edited(body, ['metadata'], change);
};

const leftOut =
  (field: string) =>
  (body: Json): Json =>
    partsOf(body, ({ [field]: _, ...rest }: Json) => rest);

const withoutEmpty = (labels: Json): Json =>
  labels && Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ''));

const withoutNulls = (values: Json): Json =>
  values && Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

export const wanderingFaults: readonly Fault[] = [
  fault('writes through a Scale are not announced', ['watch', 'service'], silentScale),
  fault(
    'a list that is complete tells that nought remain',
    ['lists'],
    wherever((body) =>
      Array.isArray(body?.items) && body.metadata && !body.metadata.continue
        ? edited(body, ['metadata', 'remainingItemCount'], () => 0)
        : body,
    ),
  ),
  fault(
    'who watches all but one hears of that one',
    ['watch', 'params'],
    misread({ ...watches, query: { watch: true, fieldSelector: /!=/ } }, (query) => query.delete('fieldSelector')),
  ),
  fault(
    'a rehearsed delete does not show since when it would be going',
    ['dryrun', 'deletion'],
    removeIn('metadata.deletionTimestamp', { method: 'DELETE', query: { dryRun: 'All' } }),
  ),
  slip(
    'who writes again keeps the time at which he wrote first',
    ['apply'],
    'patch/apply/track-update.ts',
    'managers.set(identity, { ...writer, fields:',
    'managers.set(identity, { ...writer, ...managers.get(identity), fields:',
  ),
  fault(
    'what is written comes whole, though its metadata alone was asked for',
    ['content'],
    requestHeader('accept', 'application/json', {
      method: ['POST', 'PUT', 'PATCH'],
      header: { accept: /as=PartialObjectMetadata/ },
    }),
  ),
  fault(
    'one object as a Table never has the whole of it',
    ['content'],
    ignoreQuery('includeObject', { method: 'GET', path: /s\/[^/]+$/ }),
  ),
  fault(
    'null in the labels of a strategic merge patch is passed over',
    ['meta', 'verbs'],
    changeRequest('', (body) => edited(body, ['metadata', 'labels'], withoutNulls), {
      method: 'PATCH',
      header: { 'content-type': /strategic/ },
      body: /null/,
    }),
  ),
  fault(
    'lists leave out labels without a value',
    ['lists', 'meta'],
    wherever((body) => edited(body, ['items', '*', 'metadata', 'labels'], withoutEmpty)),
  ),
  fault(
    'lists do not count generations',
    ['meta', 'lists'],
    wherever((body) => edited(body, ['items', '*', 'metadata', 'generation'], () => undefined)),
  ),
  fault('what is going is missing for another delete', ['deletion'], deletesOnce),
  fault('there must be something in what a deletecollection deletes', ['verbs', 'responses'], emptyIsMissing),
  fault(
    'a stale version is told as a name that is taken',
    ['errors', 'rv', 'responses'],
    wherever((body) => (body?.reason === 'Conflict' ? { ...body, reason: 'AlreadyExists' } : body)),
  ),
  fault(
    'who may not is told that nobody knows him',
    ['errors', 'authn', 'responses'],
    wherever((body) => (body?.reason === 'Forbidden' ? { ...body, reason: 'Unauthorized' } : body)),
  ),
  slip(
    'whoever may act as somebody may be among all who are authenticated',
    ['impersonate'],
    'request/impersonate.ts',
    "for (const group of asked.groups) yield action('', 'groups', group);",
    "for (const group of asked.groups) if (group !== authenticatedGroup) yield action('', 'groups', group);",
  ),
  fault(
    'a group tells the version that it prefers alone',
    ['versioning', 'paths'],
    changeAnswer('', (body) => (body?.kind === 'APIGroup' ? { ...body, versions: body.versions.slice(0, 1) } : body), {
      path: /^\/apis\/[^/]+$/,
    }),
  ),
  fault(
    'what is escaped in a name stays so',
    ['paths', 'names', 'params'],
    redirectPath(/%([0-9A-Fa-f]{2})/g, '%25$1', { path: /%/ }),
  ),
  fault('metadata alone has no version', ['content', 'rv'], wherever(leftOut('resourceVersion'))),
  fault('metadata alone does not tell what holds an object', ['content', 'deletion'], wherever(leftOut('finalizers'))),
  slip(
    'rejections by validating webhooks count as by mutating ones',
    ['metrics'],
    'admission/webhooks/webhook-metrics.ts',
    'if (outcome.rejected) rejections.inc({ name, operation, type, error_type',
    "if (outcome.rejected) rejections.inc({ name, operation, type: 'admit', error_type",
  ),
];
