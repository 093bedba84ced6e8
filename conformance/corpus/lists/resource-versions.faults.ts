import { edited } from '../../sabotage/edited.ts';
import { answerStatus, changeAnswer, ignoreQuery, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { asTable, laterPages, lists } from '../matches.ts';
import { jsonOf, misread } from '../meddling.ts';

const versions = 'store/versions.ts';
const listing = 'registry/list.ts';
const listOptions = 'registry/list-options.ts';

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

const page = 'return { items, revision: shown, ...(remaining > 0 &&';

const bearing = (revision: string): string => page.replace('revision: shown', `revision: ${revision}`);

/** Lists at a resourceVersion, resourceVersionMatch, and the version that a list bears. */
export default [
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
    'Exact is forgotten when there is a limit',
    ['lists', 'rv'],
    misread({ ...lists, query: { limit: true, resourceVersionMatch: 'Exact' } }, (query) => {
      if (query.get('resourceVersion') === null || query.get('resourceVersion') === '0') return;
      query.delete('resourceVersion');
      query.delete('resourceVersionMatch');
    }),
  ),
  fault(
    'resourceVersionMatch without a version passes when there is a limit',
    ['lists', 'rv'],
    misread({ ...lists, query: { limit: true, resourceVersionMatch: true, resourceVersion: false } }, (query) =>
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
      laterPages,
    ),
  ),
  fault(
    'NotOlderThan with a limit ends in 500',
    'lists',
    answerStatus(500, {
      ...lists,
      query: { limit: true, resourceVersionMatch: 'NotOlderThan', resourceVersion: true },
    }),
  ),
  fault(
    'a list at version 0 shows nothing for custom types',
    'lists',
    changeAnswer('', (body) => ({ ...body, items: [] }), {
      ...lists,
      path: /touchstone\.example/,
      query: { resourceVersion: '0', watch: false },
    }),
  ),
  fault(
    'a list of exactly one version does not look at fields',
    ['lists', 'rv', 'params'],
    ignoreQuery('fieldSelector', { method: 'GET', query: { resourceVersionMatch: 'Exact' } }),
  ),
  fault(
    'a version beside a token is overlooked',
    ['rv', 'lists', 'errors'],
    ignoreQuery('resourceVersion', { method: 'GET', query: { continue: true, resourceVersion: /^[1-9]/ } }),
  ),
  slip(
    'a list at an older version shows what is there now',
    ['lists', 'rv'],
    versions,
    'revision === this.#revision',
    '!(revision === this.#revision)',
  ),
  slip(
    'an older state lacks what was deleted since',
    ['lists', 'rv'],
    versions,
    ': (history: KeyHistory) => history.at(revision);',
    ': (history: KeyHistory) => history.current && history.at(revision);',
  ),
  slip(
    'an older state shows what changed since as it is now',
    ['lists', 'rv'],
    versions,
    ': (history: KeyHistory) => history.at(revision);',
    ': (history: KeyHistory) => history.at(revision) && (history.current ?? history.at(revision));',
  ),
  slip(
    'an older state has what was made since',
    ['lists', 'rv'],
    versions,
    ': (history: KeyHistory) => history.at(revision);',
    ': (history: KeyHistory) => history.at(revision) ?? history.current;',
  ),
  slip(
    'a list at version 0 is cut at its limit and has no token',
    ['lists', 'params'],
    'request/verbs/read.ts',
    '  return encodeList(exchange, call, page);',
    "  const { limit = 0, resourceVersion } = listParameters(exchange.query);\n  if (resourceVersion === '0' && limit > 0) return encodeList(exchange, call, { ...page, items: page.items.slice(0, limit) });\n  return encodeList(exchange, call, page);",
  ),
  slip(
    'a list that is not of one namespace is answered at a version that is still to come',
    ['rv', 'lists'],
    listing,
    'if (exact === undefined && request.version > 0) await reach',
    'if (exact === undefined && request.version > 0 && call.namespace) await reach',
  ),
  slip(
    'NotOlderThan is taken for Exact',
    ['lists', 'rv'],
    listing,
    "if (match === 'Exact') return version;",
    'if (match) return version;',
  ),
  slip(
    'Exact with a limit is answered with the newest state',
    ['lists', 'rv'],
    listing,
    "if (match === 'Exact') return version;",
    "if (match === 'Exact' && limit === 0) return version;",
  ),
  slip(
    'a version with a limit is answered with the newest state',
    ['lists', 'rv'],
    listing,
    "return match === '' && limit > 0 && version > 0 ? version : undefined;",
    'return undefined;',
  ),
  slip(
    'a selection without a limit shows the newest state, whatever version is asked for',
    ['lists', 'rv'],
    listing,
    'const { items, revision: shown } = await services.store.list(prefix, at);',
    'const { items, revision: shown } = await services.store.list(prefix, {});',
  ),
  slip(
    'every page of a selection shows the newest state',
    ['lists', 'rv'],
    listing,
    '      ...at,\n      limit: Math.max(chunk, limit),',
    '      ...at,\n      revision: undefined,\n      limit: Math.max(chunk, limit),',
  ),
  slip(
    'who asks for one name sees it as it is now, whatever version is asked for',
    ['lists', 'rv'],
    listing,
    'revision === undefined ? {} : { revision }',
    '{}',
  ),
  slip(
    'a list bears the version of its newest item',
    ['lists', 'rv'],
    listing,
    'return { items, revision: shown, ...(remaining > 0',
    'return { items, revision: Math.max(0, ...items.map((each) => each.revision)) || shown, ...(remaining > 0',
  ),
  slip(
    'NotOlderThan with a limit is answered at a version that is still to come',
    ['rv', 'lists'],
    listing,
    'if (version > current) throw versionTooLarge(version, current);',
    '',
  ),
  slip(
    'the last page of a list bears the version of the moment',
    ['lists'],
    listing,
    page,
    bearing('from && remaining === 0 ? await services.store.currentRevision() : shown'),
  ),
  slip(
    'a list of exactly one version bears that of the moment',
    ['lists', 'rv'],
    listing,
    page,
    bearing('revision !== undefined && !from ? await services.store.currentRevision() : shown'),
  ),
  slip(
    'a page of version 0 is that of version 0 exactly',
    ['lists', 'rv'],
    listing,
    "return match === '' && limit > 0 && version > 0 ? version : undefined;",
    "return match === '' && limit > 0 && version >= 0 ? version : undefined;",
  ),
  slip(
    'Exact at version 0 passes',
    ['lists', 'rv'],
    listOptions,
    "if (match === 'Exact' && resourceVersion === '0') {",
    'if (false) {',
  ),
  slip(
    'a version beside a token passes',
    ['lists', 'rv'],
    listOptions,
    'if (parameters.continue && version > 0) {',
    'if (false) {',
  ),
  slip(
    'Exact at version 0 passes beside a limit',
    ['lists', 'rv'],
    listOptions,
    "if (match === 'Exact' && resourceVersion === '0') {",
    "if (match === 'Exact' && resourceVersion === '0' && !parameters.limit) {",
  ),
  slip(
    'an exact list of all namespaces shows what is there now',
    ['lists', 'rv', 'collections'],
    'registry/list.ts',
    '...(revision !== undefined && { revision }), ...(from',
    '...(revision !== undefined && (after !== undefined || call.namespace || !resource.namespaced) && { revision }), ...(from',
  ),
  fault(
    'a Table shows the newest state whatever version is asked for',
    ['content', 'lists'],
    misread({ header: asTable, query: { watch: false, resourceVersion: true } }, (query) => {
      query.delete('resourceVersion');
      query.delete('resourceVersionMatch');
    }),
  ),
  slip(
    'NotOlderThan with a limit shows everything',
    ['lists', 'rv', 'collections'],
    'registry/list-options.ts',
    'limit: Math.max(0, limit),',
    "limit: resourceVersionMatch === 'NotOlderThan' ? 0 : Math.max(0, limit),",
  ),
  slip(
    'a token at version 0 brings all the rest',
    ['lists', 'rv', 'collections'],
    'registry/list-options.ts',
    "resourceVersion === '0' && !parameters.continue ?",
    "resourceVersion === '0' ?",
  ),
  slip(
    'a list at a version that is gone shows what is there now',
    ['lists', 'rv', 'collections'],
    'registry/list.ts',
    '    if (!position) throw expired(',
    "    if (!position) return list(call, { ...asked, version: 0, match: '' });\n    if (!position) throw expired(",
  ),
  slip(
    'what was made anew is what it was in an older state',
    ['lists', 'rv', 'collections'],
    'store/versions.ts',
    ': (history: KeyHistory) => history.at(revision);',
    ': (history: KeyHistory) => {\n            const then = history.at(revision);\n            const now = history.current;\n            return then && now && now.value.metadata.uid !== then.value.metadata.uid ? now : then;\n          };',
  ),
  slip(
    'a token at version 0 is of what is there now',
    ['lists'],
    'registry/list.ts',
    'const exact = position?.revision ?? exactVersion(request);',
    'const exact = (request.any && position ? undefined : position?.revision) ?? exactVersion(request);',
  ),
  slip(
    'a list with a limit that is to be not older than a version yet to come shows what there is',
    ['rv', 'lists'],
    listing,
    'if (version > current) throw versionTooLarge(version, current);',
    "if (version > current && match === 'Exact') throw versionTooLarge(version, current);",
  ),
];
