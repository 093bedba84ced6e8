import { edited } from '../sabotage/edited.ts';
import {
  answerStatus,
  changeAnswer,
  changeEvent,
  forceQuery,
  ignoreQuery,
  redirectPath,
  removeIn,
  swallowEvent,
} from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { type Fault, fault } from './fault.ts';
import { lenient, misread, remembering, watching } from './meddling.ts';

/** What goes wrong on one page, by one verb, through one subresource or for one sort of client. */

const watches = { method: 'GET', query: { watch: true } };
/** Paths that name no namespace: of cluster-scoped kinds, and of all namespaces. */
const everywhere = /^\/apis?\/(?!.*\/namespaces\/)/;
const table = { accept: /as=Table/ };
const applying = { 'content-type': /apply/ };
const merging = { 'content-type': /merge-patch/ };

/** A page that ended with a namespace is followed by one that lacks the first of the next. */
const afterTheLast = remembering(() => {
  const ended = new Map<string, Json>();
  return (body, { method, path, query }) => {
    if (method !== 'GET' || !everywhere.test(path) || !Array.isArray(body?.items)) return body;
    const before = query.has('continue') ? ended.get(path) : undefined;
    ended.set(path, body.items.at(-1)?.metadata?.namespace);
    const goesOn = before === undefined || before === body.items[0]?.metadata?.namespace;
    return goesOn ? body : { ...body, items: body.items.slice(1) };
  };
});

/** What a POST has made is new; anything else that is added was there before. */
const cameToMatch = watching(() => {
  const made = new Set<string>();
  const versionOf = (object: Json): string => `${object?.metadata?.uid} ${object?.metadata?.resourceVersion}`;
  return {
    answer: (body, { method }) => void (method === 'POST' && made.add(versionOf(body))),
    event: (event, { path, query }) => {
      const concerned = everywhere.test(path) && query.has('labelSelector') && Number(query.get('resourceVersion')) > 0;
      const entered = concerned && event.type === 'ADDED' && !made.has(versionOf(event.object));
      return [entered ? { ...event, type: 'MODIFIED' } : event];
    },
  };
});

const firstUntold = watching(() => {
  const begun = new Set<string>();
  return {
    request: ({ method, path }) => void (method === 'DELETE' && begun.add(path)),
    event: (event, { path }) => (event.type === 'DELETED' && begun.delete(path) ? [] : [event]),
  };
});

const unbooked = (body: Json): Json =>
  edited(body, ['metadata', 'managedFields'], (entries) =>
    entries?.filter((entry: Json) => entry.subresource !== 'status' || entry.operation !== 'Update'),
  );

export const paringFaults: readonly Fault[] = [
  fault('a page that ended with a namespace is not followed by the first of the next', ['lists'], afterTheLast),
  fault(
    'a limit is not heeded where a Table is asked for',
    ['lists', 'params'],
    ignoreQuery('limit', { method: 'GET', header: table }),
  ),
  fault(
    'a list at version 0 does not heed its labels',
    ['lists', 'params'],
    ignoreQuery('labelSelector', { method: 'GET', query: { resourceVersion: '0', watch: false } }),
  ),
  fault(
    'later pages forget the labels where no namespace is named',
    ['lists', 'params'],
    ignoreQuery('labelSelector', { method: 'GET', path: everywhere, query: { continue: true } }),
  ),
  fault(
    'a deletecollection by labels does not look at fields',
    ['params', 'verbs'],
    ignoreQuery('fieldSelector', { method: 'DELETE', query: { labelSelector: true } }),
  ),
  fault('what comes to match is told as modified where all namespaces are watched', ['watch', 'params'], cameToMatch),
  fault('the first that a deletecollection removes goes unannounced', ['watch', 'service'], firstUntold),
  fault(
    'a watch that takes bookmarks lasts longer than it shall',
    ['watch', 'params'],
    ignoreQuery('timeoutSeconds', { method: 'GET', query: { watch: true, allowWatchBookmarks: true } }),
  ),
  fault(
    'bookmarks tell the namespace that is watched',
    ['watch'],
    changeEvent(
      '',
      (event) => [
        event.type === 'BOOKMARK' ? edited(event, ['object', 'metadata', 'namespace'], () => 'default') : event,
      ],
      { ...watches, path: /\/namespaces\/[^/]+\// },
    ),
  ),
  fault(
    'removals are not told to who watches one name everywhere',
    ['watch', 'service'],
    swallowEvent('DELETED', {
      method: 'GET',
      path: everywhere,
      query: { watch: true, fieldSelector: /metadata\.name=/ },
    }),
  ),
  fault(
    'a rehearsed apply with force is real',
    ['dryrun'],
    ignoreQuery('dryRun', { method: 'PATCH', query: { force: 'true' }, header: applying }),
  ),
  fault(
    'dryRun may be written in small letters',
    ['dryrun'],
    misread({ query: { dryRun: /^all$/i } }, (query) => query.set('dryRun', 'All')),
  ),
  fault(
    'Strict is not heeded in merge patches of a status',
    ['fields'],
    ignoreQuery('fieldValidation', { method: 'PATCH', path: /\/status$/, header: merging }),
  ),
  fault(
    'an apply to a status never conflicts',
    ['apply', 'errors'],
    forceQuery('force', 'true', { method: 'PATCH', path: /\/status$/, header: applying }),
  ),
  fault(
    'who replaces the status of an Ingress is not booked',
    ['apply'],
    changeAnswer('', unbooked, { path: /\/ingresses\/[^/]+(\/status)?$/ }),
  ),
  fault(
    'a Table of one custom object has no columns',
    ['content'],
    changeAnswer('', (body) => (body?.kind === 'Table' ? { ...body, columnDefinitions: [] } : body), {
      method: 'GET',
      path: /touchstone\.example\/v1\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+$/,
      header: table,
    }),
  ),
  fault(
    'ClusterRoles are found below a namespace as well',
    ['paths'],
    redirectPath(/\/namespaces\/[^/]+\/clusterroles/, '/clusterroles'),
  ),
  fault(
    'a rehearsed create of a generated name has none',
    ['dryrun', 'meta'],
    removeIn('metadata.name', { method: 'POST', query: { dryRun: 'All' }, body: /"generateName"/ }),
  ),
  fault(
    'where unknown fields are ignored nothing is validated',
    ['fields', 'component'],
    lenient({ method: ['POST', 'PUT'], query: { fieldValidation: 'Ignore' } }),
  ),
  fault(
    'a token that nobody knows is 403 where something is watched',
    ['responses', 'authn'],
    answerStatus(403, { ...watches, instead: 401 }),
  ),
  fault(
    'custom types are left out of the schema that is published',
    ['service'],
    changeAnswer(
      '',
      (body) => ({
        ...body,
        definitions: Object.fromEntries(
          Object.entries(body?.definitions ?? {}).filter(([name]) => !name.startsWith('example.touchstone.')),
        ),
      }),
      { path: /^\/openapi\/v2$/ },
    ),
  ),
];
