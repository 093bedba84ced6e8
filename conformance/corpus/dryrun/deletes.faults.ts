import { changeRequest, ignoreQuery, removeIn, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { jsonOf, leavingOut, without } from '../meddling.ts';

const deleting = 'registry/delete.ts';

const rehearsedInBody = sabotage('hears of no rehearsal beside preconditions', () => ({
  request: (request) => {
    const options = request.method === 'DELETE' ? jsonOf(request.body) : undefined;
    if (!options?.preconditions) return request;
    const { dryRun: _, ...rest } = options;
    const query = new URLSearchParams(request.query);
    query.delete('dryRun');
    return { ...request, query, rawQuery: query.toString(), body: Buffer.from(JSON.stringify(rest)) };
  },
}));

/** Dry runs of a delete or a deletecollection. */
export default [
  fault(
    'a rehearsed delete of a namespace begins it',
    ['dryrun'],
    ignoreQuery('dryRun', { method: 'DELETE', path: /\/api\/v1\/namespaces\/[^/]+$/ }),
  ),
  fault('a rehearsed delete with preconditions is real', ['dryrun', 'params'], rehearsedInBody),
  fault(
    'a rehearsed deletecollection by fields is real',
    ['dryrun', 'params'],
    ignoreQuery('dryRun', { method: 'DELETE', query: { fieldSelector: true } }),
  ),
  fault(
    'a deletecollection does not look in its body for what is a rehearsal',
    ['dryrun', 'params'],
    changeRequest('', (body) => without('dryRun', body), { method: 'DELETE', query: { labelSelector: true } }),
  ),
  fault(
    'a rehearsed delete does not show since when it would be going',
    ['dryrun', 'deletion'],
    removeIn('metadata.deletionTimestamp', { method: 'DELETE', query: { dryRun: 'All' } }),
  ),
  fault(
    'a dry run is ignored by a deletecollection of custom objects',
    ['dryrun', 'params'],
    ignoreQuery('dryRun', { method: 'DELETE', path: /touchstone\.example\/v1\/(namespaces\/[^/]+\/)?[a-z0-9]+$/ }),
  ),
  fault(
    'a dry run by options in the body is real',
    ['params', 'dryrun'],
    changeRequest('', leavingOut('dryRun'), { method: 'DELETE' }),
  ),
  slip(
    'who only rehearses a delete may do anything',
    ['dryrun', 'errors'],
    'request/access.ts',
    "if (decision !== 'allow') throw refusal",
    "if (decision !== 'allow' && !(exchange.info.verb === 'delete' && exchange.info.query.has('dryRun'))) throw refusal",
  ),
  slip(
    'a deletion answers with what it would have marked, of what is gone at once',
    ['deletion', 'dryrun'],
    'registry/steps/delete-steps.ts',
    'else if (ends && !removal.goesMarked) removal.change = { remove: true, answer: asItWas ? current.value : next };',
    'else if (ends && !removal.goesMarked) removal.change = { remove: true, answer: (next) };',
  ),
  slip(
    'a rehearsed delete with a policy is real',
    ['dryrun', 'deletion'],
    deleting,
    'const store = options.dryRun ? rehearsing(services.store) : services.store;',
    'const store = options.dryRun && !options.propagationPolicy ? rehearsing(services.store) : services.store;',
  ),
  slips(
    'a rehearsed delete marks what finalizers hold',
    ['dryrun', 'deletion'],
    [
      {
        file: deleting,
        from: 'const store = options.dryRun ? rehearsing(services.store) : services.store;',
        to: 'const { store } = services;',
      },
      {
        file: deleting,
        from: '    return carryOut(goThrough(removal));',
        to: "    const change = await carryOut(goThrough(removal));\n    return options.dryRun && 'remove' in change ? { keep: true } : change;",
      },
      {
        file: deleting,
        from: "gone: goes || outcome === 'removed',",
        to: "gone: goes || outcome === 'removed' || (options.dryRun && outcome === 'kept'),",
      },
    ],
  ),
  slip(
    'a rehearsed delete does not look at preconditions',
    ['dryrun', 'params'],
    'registry/steps/delete-steps.ts',
    'if (!options.preconditions) return;',
    'if (!options.preconditions || options.dryRun) return;',
  ),
  slip(
    'dryRun in the query of a deletion is not heeded',
    ['dryrun', 'params'],
    'request/verbs/delete.ts',
    "return deleteOptions({\n    dryRun: query.all('dryRun').filter((value) => value !== ''),\n    ...(grace !== undefined && { gracePeriodSeconds: grace }),\n    ...(policy !== undefined && { propagationPolicy: policy }),\n    ...(orphanDependents !== undefined && { orphanDependents }),\n    ...(version && { preconditions: { resourceVersion: version } }),\n  });",
    'return deleteOptions({ ...(grace !== undefined && { gracePeriodSeconds: grace }), ...(policy !== undefined && { propagationPolicy: policy }), ...(orphanDependents !== undefined && { orphanDependents }), ...(version && { preconditions: { resourceVersion: version } }) });',
  ),
  slip(
    'a dry run of a deletecollection of cluster-scoped objects is real',
    ['dryrun', 'params'],
    'request/verbs/delete.ts',
    'await removeCollection(call, request, options)',
    'await removeCollection(call, request, { ...options, dryRun: options.dryRun && call.resource.namespaced })',
  ),
  slip(
    'the deletion of a collection looks for a dry run in its address alone',
    ['dryrun', 'deletion', 'params'],
    'request/verbs/delete.ts',
    'await removeCollection(call, request, options)',
    "await removeCollection(call, request, { ...options, dryRun: exchange.query.all('dryRun').includes('All') })",
  ),
  slip(
    'a delete in so many seconds is no dry run',
    ['dryrun', 'deletion'],
    'registry/delete.ts',
    'const store = options.dryRun ?',
    'const store = options.dryRun && options.gracePeriodSeconds === undefined ?',
  ),
  slip(
    'a dry run that is asked for in the body of a delete is a real one',
    ['dryrun'],
    'request/verbs/delete.ts',
    'return deleteOptions(value as unknown as Parameters<typeof deleteOptions>[0]);',
    "return deleteOptions({ ...value, dryRun: exchange.query.all('dryRun') } as Parameters<typeof deleteOptions>[0]);",
  ),
  slip(
    'what the options of a delete say of a dry run beside All is passed over',
    ['dryrun'],
    'request/verbs/delete.ts',
    'return deleteOptions(value as unknown as Parameters<typeof deleteOptions>[0]);',
    "const given = value as unknown as Parameters<typeof deleteOptions>[0];\n  return deleteOptions({ ...given, dryRun: (given.dryRun ?? []).filter((word) => word === 'All') });",
  ),
  slip(
    'a rehearsed delete shows the finalizers that its policy takes',
    'deletion',
    'registry/steps/delete-steps.ts',
    'if (ends && !removal.goesMarked && options.dryRun && !sameFinalizers)',
    'if (ends && !removal.goesMarked && options.dryRun && sameFinalizers && false)',
  ),
  fault(
    'a rehearsed delete of a definition is real',
    'dryrun',
    ignoreQuery('dryRun', { method: 'DELETE', path: /\/customresourcedefinitions\// }),
  ),
];
