import { edited } from '../../sabotage/edited.ts';
import { changeAnswer } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { lists } from '../matches.ts';
import { remembering, wherever } from '../meddling.ts';

const listing = 'registry/list.ts';

/** How many remain is told once, and told again with every page. */
const sameRest = remembering(() => {
  const told = new Map<string, number>();
  return (body, { path, query }) => {
    if (body?.metadata?.remainingItemCount === undefined) return body;
    if (!query.has('continue')) told.set(path, body.metadata.remainingItemCount);
    return { ...body, metadata: { ...body.metadata, remainingItemCount: told.get(path) } };
  };
});

/** How many items a page says remain. */
export default [
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
      { ...lists, query: { fieldSelector: true, watch: false } },
    ),
  ),
  fault('every page tells that as many remain as the first', ['lists'], sameRest),
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
    'a list that is complete tells that nought remain',
    ['lists'],
    wherever((body) =>
      Array.isArray(body?.items) && body.metadata && !body.metadata.continue
        ? edited(body, ['metadata', 'remainingItemCount'], () => 0)
        : body,
    ),
  ),
  slip(
    'the number of remaining items counts what was told already',
    ['lists'],
    'store/key-index.ts',
    'if (from === 0 && to === leaf.histories.length && leaf.countedAt <= revision) count += leaf.live;',
    'if ((to === leaf.histories.length) && leaf.countedAt <= revision) count += leaf.live;',
  ),
  slip(
    'what remains of a list of one namespace is counted in all of them',
    ['lists'],
    listing,
    'return { items, revision: shown, ...(remaining > 0 && { remaining, token: tokenAfter(call, items, shown) }) };',
    'const count = await services.store.count(resource.prefix);\n    return { items, revision: shown, ...(remaining > 0 && { remaining: count - items.length, token: tokenAfter(call, items, shown) }) };',
  ),
  slip(
    'what remains of a list is counted as it is by then',
    ['lists'],
    listing,
    '...(remaining > 0 && { remaining, token: tokenAfter(call, items, shown) })',
    '...(remaining > 0 && { remaining: from ? (await services.store.list(prefix, { any, after: from, limit })).remaining : remaining, token: tokenAfter(call, items, shown) })',
  ),
  slip(
    'remainingItemCount is told on the first page alone',
    ['lists'],
    listing,
    '...(remaining > 0 && { remaining,',
    '...(remaining > 0 && { ...(after === undefined && { remaining }),',
  ),
  slip(
    'remainingItemCount of later pages counts what is on them as well',
    ['lists'],
    listing,
    '...(remaining > 0 && { remaining, token: tokenAfter(call, items, shown) })',
    '...(remaining > 0 && { remaining: remaining + (from ? items.length : 0), token: tokenAfter(call, items, shown) })',
  ),
  slip(
    'a page of metadata alone does not tell how many remain',
    ['lists', 'content'],
    'request/answer/list-answer.ts',
    'metadata: listMetadata(false, page) };',
    'metadata: { ...listMetadata(false, page), remainingItemCount: undefined } };',
  ),
  slip(
    'pages of a Table do not tell how many remain',
    ['lists', 'content'],
    'request/answer/list-answer.ts',
    '    metadata: listMetadata(false, page),\n    now:',
    '    metadata: listMetadata(false, { ...page, remaining: undefined } as never),\n    now:',
  ),
  slip(
    'pages in protobuf do not tell how many remain',
    ['lists', 'content'],
    'request/answer/list-form.ts',
    'protobufForm(protobufList(envelope));',
    'protobufForm(protobufList({ ...envelope, metadata: { ...envelope.metadata, remainingItemCount: undefined } }));',
  ),
  slip(
    'what remains after a later page counts that page as well',
    ['lists'],
    'registry/list.ts',
    '...(remaining > 0 && { remaining, token',
    '...(remaining > 0 && { remaining: from === undefined ? remaining : remaining + items.length, token',
  ),
  slip(
    'what remains is counted with what a later page shows',
    ['lists', 'meta', 'params'],
    'registry/list.ts',
    '...(remaining > 0 && { remaining, token',
    '...(remaining > 0 && { remaining: remaining + (after === undefined ? 0 : items.length), token',
  ),
  slip(
    'from the second page on the number of remaining items counts the page itself',
    ['lists'],
    listing,
    'return { items, revision: shown, ...(remaining > 0 && { remaining, token: tokenAfter(call, items, shown) }) };',
    `const left = after === undefined ? remaining : remaining + items.length;
    return { items, revision: shown, ...(remaining > 0 && { remaining: left, token: tokenAfter(call, items, shown) }) };`,
  ),
  slip(
    'a page of a list with a selector tells how many items remain',
    ['lists'],
    'registry/list.ts',
    '...(left > 0 && { token: tokenAfter(call, found, revision) }) };',
    '...(left > 0 && { remaining: left, token: tokenAfter(call, found, revision) }) };',
  ),
  slip(
    'what remains of more than five hundred objects is counted as it is by then',
    ['lists'],
    'store/key-index.ts',
    'live: 0, countedAt: leaf.countedAt }));',
    'live: 0, countedAt: 0 }));',
  ),
];
