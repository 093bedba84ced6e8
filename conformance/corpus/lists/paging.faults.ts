import { changeAnswer, ignoreQuery, removeIn, sabotage } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip, slips } from '../fault.ts';
import { asTable, lists, outsideNamespaces } from '../matches.ts';
import { misread, remembering } from '../meddling.ts';

const listing = 'registry/list.ts';

/** The third page is the first again. */
const startsOver = remembering(() => {
  const seconds = new Set<string>();
  return (body, { query }) => {
    const { metadata } = body;
    if (query.has('continue') && metadata?.continue) seconds.add(metadata.continue);
    return seconds.has(query.get('continue') ?? '') ? { ...body, items: body.items?.slice(1) } : body;
  };
});

const firstLimit = sabotage('keeps the limit in the token', () => {
  const limits = new Map<string, string>();
  return {
    request: (request) => {
      const limit = request.query.get('limit');
      if (request.method !== 'GET' || limit === null) return request;
      if (!request.query.has('continue')) {
        limits.set(request.path, limit);
        return request;
      }
      const query = new URLSearchParams(request.query);
      query.set('limit', limits.get(request.path) ?? limit);
      return { ...request, query, rawQuery: query.toString() };
    },
  };
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

/** A page that ended with a namespace is followed by one that lacks the first of the next. */
const afterTheLast = remembering(() => {
  const ended = new Map<string, Json>();
  return (body, { method, path, query }) => {
    if (method !== 'GET' || !outsideNamespaces.test(path) || !Array.isArray(body?.items)) return body;
    const before = query.has('continue') ? ended.get(path) : undefined;
    ended.set(path, body.items.at(-1)?.metadata?.namespace);
    const goesOn = before === undefined || before === body.items[0]?.metadata?.namespace;
    return goesOn ? body : { ...body, items: body.items.slice(1) };
  };
});

/** Pages: limit, continue, and where they lead. */
export default [
  fault(
    'a page holds one item more than its limit',
    'lists',
    misread({ ...lists, query: { limit: true, watch: false } }, (query) => {
      if (Number(query.get('limit')) > 2) query.set('limit', String(Number(query.get('limit')) + 1));
    }),
  ),
  fault('the third page of a list leaves out its first item', 'lists', startsOver),
  fault('every page is as long as the first, whatever limit it is asked with', ['lists', 'params'], firstLimit),
  fault(
    'a limit of nought shows nothing',
    ['lists', 'params'],
    changeAnswer('', (body) => (Array.isArray(body?.items) ? { ...body, items: [] } : body), {
      method: 'GET',
      query: { limit: '0' },
    }),
  ),
  fault('the third page begins with the last item of the second', ['lists'], repeated),
  fault('a page that ended with a namespace is not followed by the first of the next', ['lists'], afterTheLast),
  fault(
    'a limit is not heeded where a Table is asked for',
    ['lists', 'params'],
    ignoreQuery('limit', { method: 'GET', header: asTable }),
  ),
  fault(
    'pages of a Table lead nowhere',
    ['lists', 'content'],
    removeIn('metadata.continue', { method: 'GET', header: { accept: /as=Table/ } }),
  ),
  slip(
    'a page of all namespaces goes on with the next namespace',
    ['lists', 'paths'],
    listing,
    'after: last.slice(resource.prefix.length) });',
    "after: resource.namespaced && items.some(({ key }) => !key.startsWith(last.slice(0, last.lastIndexOf('/') + 1))) ? `${last.slice(resource.prefix.length, last.lastIndexOf('/'))}/~` : last.slice(resource.prefix.length) });",
  ),
  slip(
    'a selection that needs several looks loses what came before its short last page',
    ['lists', 'params'],
    listing,
    'if (remaining === 0 || !last) return { items: found, revision };',
    'if (remaining === 0 || !last) return { items: start.after ? [] : found, revision };',
  ),
  slip(
    'a selected page that is full ends the list when nothing is left to look at but this',
    ['lists'],
    listing,
    '...(left > 0 && { token: tokenAfter(call, found, revision) })',
    '...(remaining > 0 && { token: tokenAfter(call, found, revision) })',
  ),
  slip(
    'later pages of custom objects show what is there by then',
    ['lists'],
    listing,
    'const exact = position?.revision ?? exactVersion(request);',
    'const exact = (call.resource.custom ? undefined : position?.revision) ?? exactVersion(request);',
  ),
  slip('a page of what is selected is empty', ['lists', 'params'], listing, 'found.push(stored);', ''),
  slip(
    'later pages are told in the version in which objects are stored',
    ['lists', 'collections', 'kinds', 'versioning'],
    'registry/list.ts',
    'return await inServedVersion(call, page, asked.any ? view : viewNow);',
    'return position ? page : await inServedVersion(call, page, asked.any ? view : viewNow);',
  ),
  slip(
    'later pages of a list with a selector show what has changed since the first one',
    ['lists', 'params'],
    listing,
    'const exact = position?.revision ?? exactVersion(request);',
    'const exact = (request.selection.everything ? position?.revision : undefined) ?? exactVersion(request);',
  ),
  slip(
    'a later page of all namespaces leaves out the names that come before the one with which the last ended',
    ['lists'],
    'registry/list.ts',
    'return await inServedVersion(call, page, asked.any ? view : viewNow);',
    `const nameOf = (key) => key.slice(key.lastIndexOf('/') + 1);
    const isAnywhere = call.resource.namespaced && !call.namespace;
    const items = page.items.filter(({ key }) => !position || !isAnywhere || nameOf(key) > nameOf(position.after));
    return await inServedVersion(call, { ...page, items }, view);`,
  ),
  slip(
    'what was deleted since the first page is missing in later ones',
    ['lists'],
    'registry/list.ts',
    'return await inServedVersion(call, page, asked.any ? view : viewNow);',
    `if (!position) return await inServedVersion(call, page, asked.any ? view : viewNow);
    const now = new Set((await services.store.list(prefixOf(call.resource, call.namespace), {})).items.map(({ key }) => key));
    return await inServedVersion(call, { ...page, items: page.items.filter(({ key }) => now.has(key)) }, view);`,
  ),
  slip(
    'the pages behind one of an older state are of what is there now',
    ['lists'],
    'registry/list.ts',
    'token: tokenAfter(call, items, shown) }) };\n  }\n  const single',
    'token: tokenAfter(call, items, revision !== undefined && after === undefined ? await services.store.currentRevision() : shown) }) };\n  }\n  const single',
  ),
  slip(
    'a page of a selection is said to be followed by one behind the last object',
    ['lists'],
    'registry/list.ts',
    'const left = remaining + items.length - i - 1;',
    'const left = remaining + items.length - i;',
  ),
  slips(
    'a page of a selection ends with the objects that were looked at',
    ['lists'],
    [
      { file: 'registry/list.ts', from: 'const chunk = 500;', to: 'const chunk = 8;' },
      {
        file: 'registry/list.ts',
        from: 'if (remaining === 0 || !last) return { items: found, revision };',
        to: 'return { items: found, revision };',
      },
    ],
  ),
];
