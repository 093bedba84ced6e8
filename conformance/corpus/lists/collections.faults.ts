import { edited } from '../../sabotage/edited.ts';
import { changeAnswer, removeIn } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip } from '../fault.ts';
import { lists, topCollections } from '../matches.ts';
import { wherever } from '../meddling.ts';

const withoutEmpty = (labels: Json): Json =>
  labels && Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ''));

/** What is in a list, whole: of one namespace, of all, of none, of nothing. */
export default [
  fault(
    'an empty collection of a custom type has items null',
    ['collections', 'kinds'],
    changeAnswer('', (body) => (body.items?.length === 0 ? { ...body, items: null } : body), {
      ...lists,
      path: /^\/apis\/touchstone\.example\//,
    }),
  ),
  fault(
    'collections of cluster-scoped kinds are of the kind List',
    ['collections', 'responses'],
    changeAnswer('', (body) => (body.items ? { ...body, kind: 'List' } : body), {
      ...lists,
      path: /\/(clusterroles|ingressclasses)$/,
    }),
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
      { ...lists, path: /\/(jobs|events)$/ },
    ),
  ),
  fault(
    'a list over all namespaces leaves out the namespaces of its items',
    ['paths', 'meta'],
    removeIn('items.*.metadata.namespace', { ...lists, path: topCollections }),
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
  fault(
    'lists leave out labels without a value',
    ['lists', 'meta'],
    wherever((body) => edited(body, ['items', '*', 'metadata', 'labels'], withoutEmpty)),
  ),
  slip(
    'a list of one namespace shows those whose names begin with its name',
    ['lists', 'namespace'],
    'store/object-keys.ts',
    '(namespace ? `${prefix}${namespace}/` : prefix)',
    '(namespace ? `${prefix}${namespace}` : prefix)',
  ),
  slip(
    'an empty collection is null where it is not plain JSON',
    ['collections', 'content'],
    'request/answer/list-answer.ts',
    'const isNull = member ? content.isUsual : transform;',
    'const isNull = true;',
  ),
  slip(
    'an empty collection has no version where it is not plain JSON',
    ['lists', 'collections', 'content', 'rv', 'meta'],
    'request/answer/list-answer.ts',
    'const nothing = { ...envelope,',
    'const nothing = { ...envelope, metadata: {},',
  ),
  slip(
    'the version of a list is the highest of its items',
    ['lists', 'rv'],
    'registry/list.ts',
    'return { items, revision: shown, ...(remaining',
    'const highest = items.length && !limit ? items.reduce((top, each) => Math.max(top, each.revision), 0) : shown;\n    return { items, revision: highest, ...(remaining',
  ),
  slip(
    'a list beyond the versions of its items answers 504',
    ['lists', 'rv', 'service', 'params'],
    'registry/list.ts',
    'const page = await collect(call, request, exact, position?.after);',
    'const page = await collect(call, request, exact, position?.after);\n    const last = page.items.reduce((top, each) => Math.max(top, each.revision), 0);\n    if (exact === undefined && last && request.version > last) throw versionTooLarge(request.version, last);',
  ),
  slip(
    'a list of nothing has null for its items when it is asked for in pretty form',
    ['collections', 'params'],
    'request/answer/list-answer.ts',
    'const isNull = member ? content.isUsual : transform;',
    'const isNull = member ? content.isUsual : transform || pretty;',
  ),
];
