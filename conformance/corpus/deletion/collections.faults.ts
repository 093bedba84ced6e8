import { answerStatus, changeRequest, ignoreQuery, loseWrite, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { collectionOf } from '../matches.ts';
import { jsonOf, leavingOut, misread, refusal } from '../meddling.ts';

const deleteCollection = 'registry/delete-collection.ts';

const emptyIsMissing = sabotage('finds nothing', () => ({
  answer: (answer, { method }) =>
    method === 'DELETE' && answer.status === 200 && jsonOf(answer.body)?.items?.length === 0
      ? refusal(404, 'NotFound')
      : answer,
}));

/** Only some of the terms of a label selector; sets of values have commas as well. */
function keepTerms(query: URLSearchParams, keeps: (term: string, place: number) => boolean): void {
  const terms =
    query
      .get('labelSelector')
      ?.split(/,(?![^(]*\))/)
      .filter(keeps) ?? [];
  query.delete('labelSelector');
  if (terms.length > 0) query.set('labelSelector', terms.join(','));
}

/** deletecollection: what it selects, removes and answers. */
export default [
  fault(
    'a deletecollection knows no sets of labels',
    ['params', 'verbs'],
    misread({ method: 'DELETE', query: { labelSelector: /\(/ } }, (query) => query.delete('labelSelector')),
  ),
  fault('a deletecollection does not heed its limit', ['params', 'verbs'], ignoreQuery('limit', { method: 'DELETE' })),
  fault(
    'a deletecollection of Leases answers 202',
    ['responses', 'verbs'],
    answerStatus(202, { method: 'DELETE', path: collectionOf('leases'), instead: 200 }),
  ),
  fault(
    'a deletecollection by labels does not look at fields',
    ['params', 'verbs'],
    ignoreQuery('fieldSelector', { method: 'DELETE', query: { labelSelector: true } }),
  ),
  fault(
    'a deletecollection overlooks a match without a version',
    ['rv', 'params'],
    ignoreQuery('resourceVersionMatch', { method: 'DELETE', query: { resourceVersion: false } }),
  ),
  fault('there must be something in what a deletecollection deletes', ['verbs', 'responses'], emptyIsMissing),
  fault(
    'a deletecollection does not look at preconditions',
    'params',
    changeRequest('', leavingOut('preconditions'), { method: 'DELETE', path: /\/[a-z]+$/ }),
  ),
  slip(
    'a deletecollection removes as many as are worked on at once',
    ['responses', 'verbs', 'service'],
    deleteCollection,
    'for (const { value } of page.items) {',
    'for (const { value } of page.items.slice(0, 10)) {',
  ),
  slip(
    'a deletecollection ends at what finalizers hold',
    ['verbs', 'deletion', 'responses'],
    deleteCollection,
    'for (const { value } of page.items) {',
    'for (const { value } of page.items) {\n    if (value.metadata.finalizers?.length && page.items[0]?.value !== value) break;',
  ),
  slip(
    'a deletecollection leaves alone what finalizers hold',
    ['deletion', 'verbs'],
    deleteCollection,
    'await remove(one, options, { collection: true })',
    'if (value.metadata.finalizers?.length) continue;\n      await remove(one, options, { collection: true })',
  ),
  slip(
    'a deletecollection does not heed the propagation policy',
    ['deletion', 'params'],
    deleteCollection,
    'await remove(one, options,',
    'await remove(one, { ...options, propagationPolicy: undefined },',
  ),
  slip(
    'a deletecollection takes one page and no more',
    ['params', 'service', 'verbs'],
    deleteCollection,
    'const page = await list(call, request);',
    'const page = await list(call, { ...request, limit: request.limit || 3 });',
  ),
  slip(
    'a deletecollection forgets what it selects',
    ['params', 'verbs'],
    deleteCollection,
    'const page = await list(call, request);',
    'const page = await list(call, { ...request, selection: { matches: () => true, everything: true, name: undefined } });',
  ),
  slip(
    'a deletecollection does not look at fields',
    ['params', 'verbs'],
    'request/verbs/delete.ts',
    'listRequest(call.resource, listParameters(exchange.query));',
    'listRequest(call.resource, { ...listParameters(exchange.query), fieldSelector: undefined });',
  ),
  slip(
    'options in the body of a deletecollection are not read',
    ['params', 'dryrun', 'verbs'],
    'request/verbs/delete.ts',
    '  const body = await readBody(exchange);\n  const options = body.length > 0 ?',
    '  const body = await readBody(exchange);\n  const options = body.length > 0 && call.name ?',
  ),
  slip(
    'a deletecollection removes what finalizers hold',
    ['deletion', 'params'],
    'registry/steps/delete-steps.ts',
    'removal.held = finalizers.length > 0 ||',
    'removal.held = (finalizers.length > 0 && !removal.occasion.collection) ||',
  ),
  fault(
    'a deletecollection begins anew whatever token it is given',
    ['params'],
    ignoreQuery('continue', { method: 'DELETE' }),
  ),
  slip(
    'how long what a deletecollection takes may still run is forgotten',
    ['params', 'deletion', 'verbs'],
    'registry/delete-collection.ts',
    'await remove(one, options, {',
    'const { gracePeriodSeconds: _grace, ...rest } = options;\n      await remove(one, rest, {',
  ),
  slip(
    'of what a deletecollection removes the first alone is admitted',
    ['verbs', 'params', 'webhook', 'admission'],
    'registry/delete-collection.ts',
    'await remove(one, options, { collection: true })',
    'await remove(one, options, { collection: true, admitted: value !== page.items[0]?.value })',
  ),
  slip(
    'a deletion of a collection with a limit deletes all',
    ['params', 'verbs'],
    deleteCollection,
    'const page = await list(call, request);',
    'const page = await list(call, { ...request, limit: 0 });',
  ),
  slips(
    'a deletecollection of ReplicaSets is of all namespaces',
    ['verbs', 'params'],
    [
      {
        file: 'registry/delete-collection.ts',
        from: 'await list(call, request);',
        to: "await list(call.resource.plural === 'replicasets' ? { ...call, namespace: '' } : call, request);",
      },
      {
        file: 'registry/delete-collection.ts',
        from: "const one = { ...call, name: value.metadata.name ?? '' };",
        to: "const one = { ...call, namespace: value.metadata.namespace ?? '', name: value.metadata.name ?? '' };",
      },
    ],
  ),
  slip(
    'a deletecollection whose selector makes no sense is of everything',
    ['params'],
    'request/verbs/delete.ts',
    'const request = listRequest(call.resource, listParameters(exchange.query));',
    'let request = listRequest(call.resource, {});\n  try {\n    request = listRequest(call.resource, listParameters(exchange.query));\n  } catch {}',
  ),
  slip(
    'a deletecollection passes over what is refused',
    ['params'],
    'registry/delete-collection.ts',
    'if (!isNotFound(error)) throw error;',
    '',
  ),
  fault(
    'claims stay as they are when all are to go',
    ['verbs'],
    loseWrite({ method: 'DELETE', path: /\/persistentvolumeclaims$/ }),
  ),
  fault(
    'a deletecollection does not look for labels that shall not be there',
    ['params'],
    misread({ method: 'DELETE' }, (query) => keepTerms(query, (term) => !term.startsWith('!'))),
  ),
  fault(
    'of several labels a deletecollection goes by the first',
    ['params'],
    misread({ method: 'DELETE' }, (query) => keepTerms(query, (_, place) => place === 0)),
  ),
  fault(
    'any word passes for a propagation policy where a collection is deleted',
    ['params'],
    misread(
      { method: 'DELETE', path: /s$/, query: { propagationPolicy: /^(?!Orphan|Background|Foreground)/ } },
      (query) => query.delete('propagationPolicy'),
    ),
  ),
  slips(
    'a deletecollection takes what is in namespaces whose names begin with its own',
    ['verbs'],
    [
      {
        file: deleteCollection,
        from: 'const page = await list(call, request);',
        to: 'const page = await listBegun();',
      },
      {
        file: deleteCollection,
        from: "const one = { ...call, name: value.metadata.name ?? '' };",
        to: "const one = { ...call, name: value.metadata.name ?? '', namespace: value.metadata.namespace ?? '' };",
      },
      {
        file: deleteCollection,
        from: '  // Lists are of all namespaces as well, but what goes is in one.',
        to: "  async function listBegun() {\n    const all = await list({ ...call, namespace: '' }, request);\n    return { ...all, items: all.items.filter(({ value }) => (value.metadata.namespace ?? '').startsWith(call.namespace)) };\n  }",
      },
    ],
  ),
  fault(
    'a deletecollection does not heed labels where its answer is to be no plain JSON',
    ['params'],
    ignoreQuery('labelSelector', { method: 'DELETE', header: { accept: /protobuf|yaml|as=/ } }),
  ),
  fault(
    'a deletecollection does not look at fields where its answer is to be no plain JSON',
    ['params'],
    ignoreQuery('fieldSelector', { method: 'DELETE', header: { accept: /as=|yaml|protobuf/ } }),
  ),
  slip(
    'of what a deletecollection removes preconditions hold for the first alone',
    ['params'],
    'registry/delete-collection.ts',
    'await remove(one, options, { collection: true })',
    'await remove(one, value === page.items[0]?.value ? options : { ...options, preconditions: {} }, { collection: true })',
  ),
];
