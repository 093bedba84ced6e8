import { edited } from '../sabotage/edited.ts';
import {
  answerStatus,
  answerWith,
  changeAnswer,
  changeEvent,
  ignoreQuery,
  removeIn,
  requestHeader,
  sabotage,
  statusObject,
} from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { type Fault, fault } from './fault.ts';
import { jsonOf, lenient, mishear, misread, remembering, watching } from './meddling.ts';

/** What gateways, fakes and forks make of what the documents say. */

const watches = { method: 'GET', query: { watch: true } };
const scales = /\/scale$/;

/** An event goes out when the next one comes. */
const oneBehind = watching(() => {
  const held = new WeakMap<object, Json>();
  return {
    event: (event, request) => {
      const before = held.get(request);
      held.set(request, event);
      return before === undefined ? [] : [before];
    },
  };
});

/** A body is not expected where something is deleted. */
const bodiless = sabotage('drops bodies', () => ({
  request: (request) => (request.method === 'DELETE' ? { ...request, body: Buffer.alloc(0) } : request),
}));

/** The first page of a collection is kept, and told again. */
const keptPages = sabotage('keeps first pages', () => {
  const kept = new Map<string, Buffer>();
  return {
    answer: (answer, { method, path, query, rawQuery }) => {
      const isFirst = query.has('limit') && !query.has('continue') && !query.has('resourceVersion');
      if (method !== 'GET' || answer.status !== 200 || !isFirst || jsonOf(answer.body)?.items === undefined)
        return answer;
      const place = `${path}?${rawQuery}`;
      if (!kept.has(place)) kept.set(place, answer.body);
      return { ...answer, body: kept.get(place) as Buffer };
    },
  };
});

/** A Scale keeps the version in which it was seen first. */
const firstVersion = remembering(() => {
  const versions = new Map<string, string>();
  return (body, { path }) => {
    if (body?.kind !== 'Scale') return body;
    const place = `${path} ${body.metadata?.uid}`;
    const version = versions.get(place) ?? body.metadata?.resourceVersion;
    versions.set(place, version);
    return edited(body, ['metadata', 'resourceVersion'], () => version);
  };
});

const beyondAscii = (text: string): string => text.replaceAll(/[^\0-\x7f]/gu, '?');

export const forwardingFaults: readonly Fault[] = [
  fault('an event is told when the next one comes', ['watch', 'service'], oneBehind),
  fault('the bodies of deletes do not get through', ['params', 'deletion'], bodiless),
  fault(
    'several groups to act with are one',
    ['impersonate'],
    mishear('impersonate-group', (values) => [values.join(',')]),
  ),
  fault(
    'what is accepted is read in small letters',
    ['content'],
    mishear('accept', (values) => values.map((value) => value.toLowerCase())),
  ),
  fault('the first page of a list is told from memory', ['lists', 'rv'], keptPages),
  fault(
    'a list of nothing has no version',
    ['rv', 'meta', 'collections'],
    changeAnswer(
      '',
      (body) => (body?.items?.length === 0 ? edited(body, ['metadata', 'resourceVersion'], () => '') : body),
      { method: 'GET' },
    ),
  ),
  fault(
    'a deletecollection knows no sets of labels',
    ['params', 'verbs'],
    misread({ method: 'DELETE', query: { labelSelector: /\(/ } }, (query) => query.delete('labelSelector')),
  ),
  fault('an update makes what is missing, it says', ['verbs', 'responses'], lenient({ method: 'PUT' }, [404])),
  fault('a Scale keeps the version in which it was seen first', ['service', 'rv'], firstVersion),
  fault(
    'a review allows every path',
    ['names'],
    changeAnswer('', (body) => edited(body, ['status', 'allowed'], () => true), {
      method: 'POST',
      path: /accessreviews$/,
      body: /nonResourceAttributes/,
    }),
  ),
  fault(
    'requests for certificates are not read from protobuf',
    ['content', 'csr'],
    answerWith(415, statusObject(415, 'UnsupportedMediaType'), {
      method: 'POST',
      path: /\/certificatesigningrequests$/,
      header: { 'content-type': /protobuf/ },
    }),
  ),
  fault(
    'what is applied to a status has to be JSON',
    ['verbs', 'apply'],
    answerWith(400, statusObject(400, 'BadRequest'), {
      method: 'PATCH',
      path: /\/status$/,
      header: { 'content-type': /apply/ },
      body: /^\s*[^\s{]/,
    }),
  ),
  fault(
    'times of Events lose their microseconds where they are watched',
    ['kinds', 'event', 'watch'],
    changeEvent(
      '',
      (event) => [edited(event, ['object', 'eventTime'], (time) => time?.replace(/\.\d+Z$/, '.000000Z'))],
      {
        ...watches,
        path: /\/events$/,
      },
    ),
  ),
  fault(
    'a list of requests does not tell the groups of their authors',
    ['csr', 'kinds'],
    removeIn('items.*.spec.groups', { method: 'GET', path: /\/certificatesigningrequests$/ }),
  ),
  fault(
    'an empty list in custom objects is lost',
    ['verbs', 'content'],
    changeAnswer(
      '',
      (body) =>
        edited(body, ['spec'], (spec) =>
          Object.fromEntries(
            Object.entries(spec ?? {}).filter(([, value]) => !Array.isArray(value) || value.length > 0),
          ),
        ),
      { path: /touchstone\.example\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+$/ },
    ),
  ),
  fault(
    'texts beyond ASCII are broken where they are watched',
    ['watch'],
    changeEvent('', (event) => [JSON.parse(beyondAscii(JSON.stringify(event)))], watches),
  ),
  fault(
    'a watch in a type that is not on offer is one in JSON',
    ['content'],
    requestHeader('accept', 'application/json', {
      ...watches,
      header: { accept: /^(?!.*(?:json|protobuf|yaml|\*\/\*))./ },
    }),
  ),
  fault(
    'a rehearsed delete of a namespace begins it',
    ['dryrun'],
    ignoreQuery('dryRun', { method: 'DELETE', path: /\/api\/v1\/namespaces\/[^/]+$/ }),
  ),
  fault(
    'a custom object cannot be had at a version that is past',
    ['get'],
    answerStatus(410, {
      method: 'GET',
      path: /touchstone\.example\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+$/,
      query: { resourceVersion: /^[1-9]/ },
    }),
  ),
  fault(
    'a watch by the field of the namespace hears of all of them',
    ['watch', 'params'],
    ignoreQuery('fieldSelector', {
      method: 'GET',
      query: { watch: true, fieldSelector: /^metadata\.namespace=[^,]*$/ },
    }),
  ),
  fault(
    'a list of namespaces does not tell their phase',
    ['namespace', 'kinds'],
    removeIn('items.*.status.phase', { method: 'GET', path: /\/namespaces$/ }),
  ),
  fault(
    'a Scale takes no JSON patches',
    ['verbs', 'service'],
    answerWith(415, statusObject(415, 'UnsupportedMediaType'), {
      method: 'PATCH',
      path: scales,
      header: { 'content-type': /json-patch/ },
    }),
  ),
  fault(
    'a uid to act with needs no user',
    ['impersonate'],
    requestHeader('impersonate-uid', undefined, { header: { 'impersonate-user': /^$/ } }),
  ),
];
