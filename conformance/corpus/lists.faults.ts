import { answerStatus, changeAnswer, ignoreQuery, removeIn } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/json.ts';
import { type Fault, fault } from './fault.ts';
import { misread, remembering } from './meddling.ts';

const list = { method: 'GET', query: { watch: false } };
const everywhere = /^\/(api\/v1|apis\/[^/]+\/[^/]+)\/[a-z0-9]+$/;
const paged = { ...list, query: { watch: false, continue: true } };

const shortLastPage = (body: Json, limit: number): boolean =>
  !body.metadata?.continue && Array.isArray(body.items) && body.items.length < limit;

/** The third page is the first again. */
const startsOver = remembering(() => {
  const seconds = new Set<string>();
  return (body, { query }) => {
    const { metadata } = body;
    if (query.has('continue') && metadata?.continue) seconds.add(metadata.continue);
    return seconds.has(query.get('continue') ?? '') ? { ...body, items: body.items?.slice(1) } : body;
  };
});

export const listFaults: readonly Fault[] = [
  fault(
    'a list by label loses its last page when that is short',
    'lists',
    changeAnswer(
      '',
      (body, { query }) => (shortLastPage(body, Number(query.get('limit'))) ? { ...body, items: [] } : body),
      { ...paged, query: { ...paged.query, labelSelector: true, limit: true } },
    ),
  ),
  fault('later pages of a list forget the field selector', ['lists', 'params'], ignoreQuery('fieldSelector', paged)),
  fault('later pages of a list forget the label selector', ['lists', 'params'], ignoreQuery('labelSelector', paged)),
  fault(
    'a page holds one item more than its limit',
    'lists',
    misread({ ...list, query: { limit: true, watch: false } }, (query) => {
      if (Number(query.get('limit')) > 2) query.set('limit', String(Number(query.get('limit')) + 1));
    }),
  ),
  fault('the third page of a list leaves out its first item', 'lists', startsOver),
  fault(
    'remainingItemCount counts the items of the page as well',
    'lists',
    changeAnswer('', (body) =>
      body.metadata?.remainingItemCount === undefined
        ? body
        : {
            ...body,
            metadata: { ...body.metadata, remainingItemCount: body.metadata.remainingItemCount + body.items.length },
          },
    ),
  ),
  fault(
    'remainingItemCount is given in spite of a field selector',
    'lists',
    changeAnswer(
      '',
      (body) => (body.metadata?.continue ? { ...body, metadata: { ...body.metadata, remainingItemCount: 1 } } : body),
      { ...list, query: { fieldSelector: true, watch: false } },
    ),
  ),
  fault(
    'Exact is forgotten when there is a limit',
    ['lists', 'rv'],
    misread({ ...list, query: { limit: true, resourceVersionMatch: 'Exact' } }, (query) => {
      if (query.get('resourceVersion') === null || query.get('resourceVersion') === '0') return;
      query.delete('resourceVersion');
      query.delete('resourceVersionMatch');
    }),
  ),
  fault(
    'resourceVersionMatch without a version passes when there is a limit',
    ['lists', 'rv'],
    misread({ ...list, query: { limit: true, resourceVersionMatch: true, resourceVersion: false } }, (query) =>
      query.delete('resourceVersionMatch'),
    ),
  ),
  fault(
    'each page of a list bears the version of the moment',
    'lists',
    changeAnswer(
      '',
      (body) =>
        body.metadata?.resourceVersion
          ? { ...body, metadata: { ...body.metadata, resourceVersion: `${Number(body.metadata.resourceVersion) + 1}` } }
          : body,
      paged,
    ),
  ),
  fault(
    'a list over all namespaces stops at its limit without a token',
    'lists',
    removeIn('metadata.continue', { ...list, path: everywhere }),
  ),
  fault(
    'an empty collection of a custom type has items null',
    ['collections', 'kinds'],
    changeAnswer('', (body) => (body.items?.length === 0 ? { ...body, items: null } : body), {
      ...list,
      path: /^\/apis\/touchstone\.example\//,
    }),
  ),
  fault(
    'collections of cluster-scoped kinds are of the kind List',
    ['collections', 'responses'],
    changeAnswer('', (body) => (body.items ? { ...body, kind: 'List' } : body), {
      ...list,
      path: /\/(clusterroles|ingressclasses)$/,
    }),
  ),
  fault(
    'NotOlderThan with a limit ends in 500',
    'lists',
    answerStatus(500, { ...list, query: { limit: true, resourceVersionMatch: 'NotOlderThan', resourceVersion: true } }),
  ),
  fault(
    'the items of a list of Jobs bear the version of the list',
    ['rv', 'verbs', 'lists', 'service'],
    changeAnswer(
      '',
      (body) => ({
        ...body,
        items: body.items?.map((item: Json) => ({
          ...item,
          metadata: { ...item.metadata, resourceVersion: body.metadata.resourceVersion },
        })),
      }),
      { ...list, path: /\/(jobs|events)$/ },
    ),
  ),
  fault(
    'IngressClasses are listed without regard to labels',
    ['params', 'lists'],
    ignoreQuery('labelSelector', { ...list, path: /\/ingressclasses$/ }),
  ),
  fault(
    'Leases are listed without regard to fields',
    ['params', 'lists'],
    ignoreQuery('fieldSelector', { ...list, path: /\/leases$/ }),
  ),
  fault(
    'a list over all namespaces leaves out the namespaces of its items',
    ['paths', 'meta'],
    removeIn('items.*.metadata.namespace', { ...list, path: everywhere }),
  ),
  fault(
    'a list at version 0 shows nothing for custom types',
    'lists',
    changeAnswer('', (body) => ({ ...body, items: [] }), {
      ...list,
      path: /touchstone\.example/,
      query: { resourceVersion: '0', watch: false },
    }),
  ),
  fault('an expired token goes on silently', 'lists', answerStatus(200, { ...paged, instead: 410 })),
];
