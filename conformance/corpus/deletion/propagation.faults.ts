import { changeRequest, ignoreQuery } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { leavingOut, misread } from '../meddling.ts';

const propagation = 'registry/propagation.ts';

/** Propagation policies: Orphan, Background and Foreground, and orphanDependents. */
export default [
  fault(
    'orphanDependents among the parameters is not heeded',
    ['params', 'deletion'],
    ignoreQuery('orphanDependents', { method: 'DELETE' }),
  ),
  fault(
    'how what is owned goes cannot be said in the query',
    ['params', 'deletion'],
    ignoreQuery('propagationPolicy', { method: 'DELETE' }),
  ),
  fault(
    'the propagation policy in the body is ignored',
    ['params', 'deletion'],
    changeRequest('', leavingOut('propagationPolicy'), { method: 'DELETE' }),
  ),
  fault(
    'Orphan is taken for Background',
    'params',
    misread({ method: 'DELETE', query: { propagationPolicy: 'Orphan' } }, (query) =>
      query.set('propagationPolicy', 'Background'),
    ),
  ),
  slip(
    'a delete in the background waits as an earlier one did',
    ['deletion'],
    propagation,
    "if (policy === 'Background') return others;",
    "if (policy === 'Background') return [...current];",
  ),
  slip(
    'a delete with a policy drops the finalizers of others',
    ['deletion'],
    propagation,
    ': [...others, wanted];',
    ': [wanted];',
  ),
  slip(
    'Background waits like Foreground',
    ['params', 'deletion'],
    propagation,
    "  if (policy === 'Background') return others;\n",
    '',
  ),
  slip(
    'a second delete with a policy removes what finalizers hold',
    ['deletion'],
    'registry/steps/delete-steps.ts',
    '  removal.held = finalizers.length > 0 ||',
    '  removal.held = (finalizers.length > 0 && !(next.metadata.deletionTimestamp && options.propagationPolicy)) ||',
  ),
  slip(
    'Foreground removes at once',
    ['params', 'deletion'],
    propagation,
    "if (policy === 'Background') return others;",
    "if (policy !== 'Orphan') return others;",
  ),
  slip(
    'orphanDependents is ignored',
    ['params', 'deletion'],
    propagation,
    "if (orphanDependents !== undefined) return orphanDependents ? 'Orphan' : 'Background';",
    '',
  ),
  slip(
    'a policy and orphanDependents together pass',
    ['params'],
    'registry/options.ts',
    'if (propagationPolicy !== undefined && orphanDependents !== undefined) {',
    'if (false) {',
  ),
  slip(
    'any word passes for a propagation policy',
    ['params'],
    'registry/options.ts',
    'if (propagationPolicy !== undefined && !policies.includes(propagationPolicy)) {',
    'if (false) {',
  ),
  slip(
    'what becomes of dependents is forgotten where a collection is deleted',
    ['deletion', 'params'],
    'registry/delete-collection.ts',
    'await remove(one, options, {',
    'const { propagationPolicy: _policy, ...rest } = options;\n      await remove(one, rest, {',
  ),
  slip(
    'who changes his mind about dependents has both ways',
    ['params', 'deletion'],
    propagation,
    'return current.includes(wanted) ? current.filter((name) => name !== unwanted) : [...others, wanted];',
    'return current.includes(wanted) ? current.filter((name) => name !== unwanted) : [...current, wanted];',
  ),
  slip(
    'a second delete without a policy forgets that of the first',
    ['deletion', 'params', 'component'],
    propagation,
    "if (finalizers.includes('orphan') || finalizers.includes('foregroundDeletion')) return undefined;",
    "if (finalizers.includes('orphan') || finalizers.includes('foregroundDeletion')) return 'Background';",
  ),
  slip(
    'a deletion of a collection does not look at the propagation policy',
    ['params', 'deletion', 'verbs'],
    'registry/delete-collection.ts',
    'await remove(one, options, { collection: true })',
    'const { propagationPolicy: _policy, ...plain } = options;\n      await remove(one, plain, { collection: true })',
  ),
  slip(
    'a deletion in the background does not wait for finalizers',
    ['deletion'],
    propagation,
    "if (policy === 'Background') return others;",
    "if (policy === 'Background') return options.propagationPolicy ? [] : others;",
  ),
  slip(
    'a later policy does not put its finalizer in the place of the earlier one',
    ['deletion'],
    'registry/steps/delete-steps.ts',
    'a.length === b.length && a.every((each, i) => each === b[i])',
    'a.length === b.length',
  ),
  slip(
    'not to orphan leaves what an earlier delete asked for',
    'deletion',
    propagation,
    "return orphanDependents ? 'Orphan' : 'Background';",
    "return orphanDependents ? 'Orphan' : undefined;",
  ),
  slip(
    'who orphans once more orphans no longer',
    ['deletion'],
    propagation,
    "const unwanted = policy === 'Orphan' ? 'foregroundDeletion' : 'orphan';",
    "const unwanted = 'orphan';",
  ),
  fault(
    'a policy is not heeded where the answer is to be no plain JSON',
    ['params'],
    ignoreQuery('propagationPolicy', { method: 'DELETE', header: { accept: /protobuf|yaml|as=/ } }),
  ),
];
