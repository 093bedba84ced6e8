import { edited } from '../../sabotage/edited.ts';
import { changeRequest, ignoreQuery, sabotage } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { leavingOut, without } from '../meddling.ts';

/** A body is not expected where something is deleted. */
const bodiless = sabotage('drops bodies', () => ({
  request: (request) => (request.method === 'DELETE' ? { ...request, body: Buffer.alloc(0) } : request),
}));

/** Preconditions and grace periods of a delete, and its options in the body or the query. */
export default [
  fault('the bodies of deletes do not get through', ['params', 'deletion'], bodiless),
  fault(
    'gracePeriodSeconds among the parameters is not heeded',
    ['params', 'deletion'],
    ignoreQuery('gracePeriodSeconds', { method: 'DELETE' }),
  ),
  fault(
    'a delete is bound to a uid and never to a version',
    ['params', 'deletion'],
    changeRequest(
      '',
      (body) => edited(body, ['preconditions'], (all) => (all ? without('resourceVersion', all) : undefined)),
      { method: 'DELETE' },
    ),
  ),
  fault(
    'a delete does not look at preconditions',
    'params',
    changeRequest('', leavingOut('preconditions'), { method: 'DELETE', path: /\/[a-z]+\/[^/]*-[^/]*$/ }),
  ),
  fault(
    'a grace period that is no number passes for cluster-scoped kinds',
    'params',
    ignoreQuery('gracePeriodSeconds', { method: 'DELETE', path: /\/v1\/(?!namespaces)[a-z]+\/[^/]+$/ }),
  ),
  slip(
    'a second delete does not look at preconditions',
    ['deletion', 'verbs'],
    'registry/steps/delete-steps.ts',
    'if (!options.preconditions) return;',
    'if (!options.preconditions || current.value.metadata.deletionTimestamp) return;',
  ),
  slip(
    'preconditions of cluster-scoped objects are not looked at',
    ['params', 'deletion'],
    'registry/steps/delete-steps.ts',
    'if (!options.preconditions) return;',
    'if (!options.preconditions || !resource.namespaced) return;',
  ),
  slip(
    'the options of a delete in its body are read in JSON alone',
    ['params', 'content', 'deletion'],
    'request/verbs/delete.ts',
    'const options = body.length > 0 ? await',
    "const options = body.length > 0 && exchange.header('content-type') === 'application/json' ? await",
  ),
  slip(
    'a precondition of the version is not looked at',
    ['params', 'deletion'],
    'registry/preconditions.ts',
    'if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {',
    'if (false) {',
  ),
  slip(
    'a version among the preconditions counts where there is no uid alone',
    ['params', 'deletion', 'meta'],
    'registry/preconditions.ts',
    'if (resourceVersion !== undefined && resourceVersion',
    'if (uid === undefined && resourceVersion !== undefined && resourceVersion',
  ),
  slip(
    'preconditions in protobuf are not looked at',
    ['params', 'deletion', 'content'],
    'request/verbs/delete.ts',
    'return deleteOptions(value as unknown as Parameters<typeof deleteOptions>[0]);',
    "const { preconditions: _, ...rest } = value;\n  return deleteOptions((exchange.header('content-type') ?? '').includes('protobuf') ? rest : value);",
  ),
  slip(
    'a grace period cannot be made shorter any more',
    ['deletion', 'params'],
    'registry/steps/delete-steps.ts',
    "if (metadata.deletionTimestamp && !(typeof grace === 'number' && seconds < before)) return false;",
    'if (metadata.deletionTimestamp) return false;',
  ),
  slip(
    'a delete may ask for a policy in the old way and the new one',
    ['params', 'deletion'],
    'registry/options.ts',
    'if (propagationPolicy !== undefined && orphanDependents !== undefined) {',
    "if (propagationPolicy === '' && orphanDependents !== undefined) {",
  ),
  slip(
    'the options of a delete may be of any kind',
    ['params'],
    'request/verbs/delete.ts',
    "&& kind !== 'DeleteOptions')",
    "&& typeof kind !== 'string')",
  ),
  slip(
    'a shorter grace period counts from the second delete',
    ['params'],
    'registry/steps/delete-steps.ts',
    'const start = metadata.deletionTimestamp ? Date.parse(metadata.deletionTimestamp) - before * 1000 : now;',
    'const start = now;',
  ),
  slip(
    'an empty object as body of a delete does not hide the query',
    'deletion',
    'request/verbs/delete.ts',
    'const options = body.length > 0 ?',
    'const options = body.length > 2 ?',
  ),
  slip(
    'preconditions of namespaces are not looked at',
    ['params'],
    'registry/steps/delete-steps.ts',
    'if (!options.preconditions) return;',
    "if (!options.preconditions || resource.plural === 'namespaces') return;",
  ),
  slip(
    'the options of a delete may hold nothing unknown',
    ['params'],
    'request/verbs/delete.ts',
    'const { value } = checkStructure(decoded.value, structure, { oddNumbers: decoded.oddNumbers });',
    "const { value, unknown } = checkStructure(decoded.value, structure, { oddNumbers: decoded.oddNumbers });\n  if (unknown.length > 0) throw badRequest('unknown fields');",
  ),
  slip(
    'what is to go at once as one version is refused for the mark that its own delete made',
    ['params'],
    'registry/delete.ts',
    'if (goes && !options.dryRun) await removeMarked(',
    'if (goes && options.preconditions)\n      checkPreconditions(kindSubjectOf(resource), stored.value, options.preconditions);\n    if (goes && !options.dryRun) await removeMarked(',
  ),
  slip(
    'who gives a pod no time to end takes it from its finalizers',
    ['deletion', 'params'],
    'registry/steps/delete-steps.ts',
    'const ends = !held && !grace;',
    'const ends = (!held || options.gracePeriodSeconds === 0) && !grace;',
  ),
  slip(
    'a precondition of a version that is later than that of the object is met',
    ['params'],
    'registry/preconditions.ts',
    'resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion',
    'resourceVersion !== undefined && Number(resourceVersion) < Number(metadata.resourceVersion)',
  ),
  slip(
    'options of a delete in YAML are read as JSON',
    ['params'],
    'request/verbs/delete.ts',
    "bodyMediaType(exchange.header('content-type'))",
    "'application/json'",
  ),
];
