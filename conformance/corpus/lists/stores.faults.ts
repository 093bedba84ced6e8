import { edited } from '../../sabotage/edited.ts';
import { changeAnswer } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { custom, lists } from '../matches.ts';
import { misread } from '../meddling.ts';

const listing = 'registry/list.ts';

/** Lists from stores and caches that count, compare and look up in ways of their own. */
export default [
  slip(
    'no more than one item is ever told to remain',
    ['lists'],
    'request/answer/list-answer.ts',
    'remainingItemCount: remaining }',
    'remainingItemCount: Math.min(1, remaining) }',
  ),
  slip(
    'a page that may not be older is compared with what is there letter by letter',
    ['lists', 'rv'],
    listing,
    'if (version > current) throw versionTooLarge(version, current);',
    'if (String(version) > String(current)) throw versionTooLarge(version, current);',
  ),
  slip(
    'a list that need not be new is of all namespaces',
    ['lists', 'paths'],
    listing,
    'const prefix = prefixOf(resource, call.namespace);',
    "const prefix = prefixOf(resource, any && revision === undefined ? '' : call.namespace);",
  ),
  slip(
    'a list that need not be new does not find one name',
    ['lists', 'params'],
    listing,
    '  if (single) return one(',
    '  if (single && any && revision === undefined)\n    return { items: [], revision: await services.store.currentRevision() };\n  if (single) return one(',
  ),
  slip(
    'the states of components are listed whatever is selected',
    ['params', 'lists'],
    listing,
    'return { items: items.filter(selection.matches), revision };',
    'return { items, revision };',
  ),
  fault(
    'items of a list of custom objects do not say of which kind they are',
    ['collections'],
    changeAnswer(
      '',
      (body) => edited(body, ['items', '*'], ({ kind: _kind, apiVersion: _apiVersion, ...item }) => item),
      { ...lists, path: custom },
    ),
  ),
  fault(
    'a list that need not be new is not selected by fields',
    ['params', 'lists'],
    misread({ method: 'GET', query: { resourceVersion: '0', fieldSelector: true } }, (query) =>
      query.delete('fieldSelector'),
    ),
  ),
  slip(
    'a list ends after a thousand objects',
    ['lists'],
    'store/key-index.ts',
    'for (let leaf = start.leaf; leaf <= end.leaf; leaf++) {',
    'for (let leaf = start.leaf; leaf <= Math.min(end.leaf, start.leaf + 1); leaf++) {',
  ),
  slip(
    'a page for which several looks were needed is of several states',
    ['lists'],
    'registry/list.ts',
    'at = { ...start, revision, after: last.key };',
    'at = { ...start, after: last.key };',
  ),
];
