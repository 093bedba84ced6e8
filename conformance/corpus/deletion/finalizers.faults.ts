import { edited } from '../../sabotage/edited.ts';
import { changeRequest } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip } from '../fault.ts';
import { leavingOut } from '../meddling.ts';

const metadataRules = 'registry/steps/metadata-rules.ts';
const commit = 'registry/steps/commit.ts';

/** Objects that bear a second finalizer lose it. */
const oneFinalizer = (body: Json): Json =>
  body?.metadata?.finalizers?.length > 1 ? edited(body, ['metadata', 'finalizers'], (all) => all.slice(0, 1)) : body;

/** What finalizers hold, and how they come and go. */
export default [
  fault(
    'a slice has one finalizer at most',
    ['meta', 'deletion'],
    changeRequest('', oneFinalizer, { method: ['POST', 'PUT', 'PATCH'], path: /\/endpointslices/ }),
  ),
  fault(
    'finalizers of ClusterRoles are dropped on create',
    ['deletion', 'meta'],
    changeRequest('', leavingOut('metadata', 'finalizers'), { method: 'POST', path: /\/clusterroles$/ }),
  ),
  fault(
    'finalizers do not keep Leases',
    ['deletion', 'meta', 'service'],
    changeRequest('', leavingOut('metadata', 'finalizers'), { path: /\/leases(\/[^/]+)?$/ }),
  ),
  slip(
    'what is being deleted may get more finalizers',
    ['component'],
    metadataRules,
    'const added = finalizers.filter((name) => !known.has(name))',
    'const added = finalizers.filter((name) => before.length === 0 && !known.has(name))',
  ),
  slip(
    'standard finalizers are not taken',
    ['deletion', 'meta'],
    metadataRules,
    "name.includes('/') || standardFinalizers.includes(name)",
    "(name.includes('/'))",
  ),
  slip(
    'finalizers must go in the order in which they stand',
    ['deletion', 'meta'],
    metadataRules,
    '  const added = finalizers.filter((name) => !known.has(name))',
    '  const added = [...finalizers.filter((name, i) => name !== before.slice(-finalizers.length)[i])]',
  ),
  slip(
    'finalizers may be added to what is being deleted',
    ['component'],
    metadataRules,
    'if (added.length === 0) return none;',
    'return none;',
  ),
  slip(
    'custom objects stay when their last finalizer goes',
    ['deletion', 'kinds'],
    commit,
    'if (kept && goes(draft))',
    'if (kept && !custom && goes(draft))',
  ),
  slip(
    'an apply that takes away the last finalizer does not remove what is going',
    ['deletion', 'apply'],
    commit,
    'if (kept && goes(draft))',
    'if (kept && !draft.managed && goes(draft))',
  ),
  slip(
    'what loses its last finalizer stays',
    ['deletion'],
    commit,
    'if (kept && goes(draft))',
    'if (kept && kept.metadata.finalizers === undefined && goes(draft))',
  ),
  slip(
    'what waits for its finalizers is overwritten by one of its name',
    ['deletion', 'names'],
    'store/memory-store.ts',
    '    if (current) throw new KeyExistsError(current);\n    const written',
    '    if (current && !current.value.metadata.deletionTimestamp) throw new KeyExistsError(current);\n    const written',
  ),
  slip(
    'finalizers stay when an update leaves them out',
    ['meta', 'deletion'],
    'registry/steps/system-fields.ts',
    '  // An object without a namespace cannot get one.\n',
    "  if (!to.finalizers) carry(to, from, 'finalizers');\n",
  ),
  slip(
    'finalizers may not trade places',
    ['deletion', 'meta'],
    'registry/steps/system-fields.ts',
    '  // An object without a namespace cannot get one.\n',
    "  if (to.finalizers?.length === from.finalizers?.length && to.finalizers?.every((each) => from.finalizers?.includes(each))) carry(to, from, 'finalizers');\n",
  ),
  slip(
    'a second delete removes what finalizers hold',
    ['deletion'],
    'registry/steps/delete-steps.ts',
    'removal.held = finalizers.length > 0 ||',
    'removal.held = (finalizers.length > 0 && !next.metadata.deletionTimestamp) ||',
  ),
  slip(
    'a delete of what finalizers hold answers that it is gone',
    ['deletion', 'responses'],
    'request/verbs/delete.ts',
    'if (deleted.gone && !call.resource.rules.deleteAnswersObject) {',
    'if (!call.resource.rules.deleteAnswersObject) {',
  ),
  slip(
    'while an object ends one finalizer may be put in the place of another',
    ['deletion', 'meta'],
    'registry/steps/metadata-rules.ts',
    'if (added.length === 0) return none;',
    'if (added.length === 0 || finalizers.length <= before.length) return none;',
  ),
  slip(
    'what loses its last finalizer through its status stays',
    ['deletion', 'verbs', 'meta'],
    'registry/steps/commit.ts',
    '  if (!metadata.deletionTimestamp) return false;',
    "  if (!metadata.deletionTimestamp || call.subresource === 'status') return false;",
  ),
  slip(
    'finalizers need no domain',
    ['meta', 'deletion', 'component'],
    'registry/steps/metadata-rules.ts',
    'const inFinalizers = finalizers && !bare ?',
    'const inFinalizers = finalizers && !bare && finalizers.length > 9 ?',
  ),
  slip(
    'finalizers can be added to an object that is being deleted',
    ['deletion'],
    'registry/steps/metadata-rules.ts',
    'if (previous.metadata.deletionTimestamp && next.metadata.finalizers) {',
    'if (previous.metadata.deletionTimestamp && next.metadata.finalizers && !previous.metadata.finalizers) {',
  ),
  slip(
    'finalizers of custom objects have to be of a domain',
    ['meta', 'deletion'],
    'registry/steps/metadata-rules.ts',
    'const bare = custom || plain || rules.bareFinalizers;',
    'const bare = plain || rules.bareFinalizers;',
  ),
  slip(
    'what is owned may be to be orphaned and to go first at once',
    ['meta', 'deletion'],
    'registry/steps/metadata-rules.ts',
    "if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {",
    'if (finalizers.length === 0) {',
  ),
  slip(
    'a delete that gives no time removes what finalizers hold',
    ['deletion', 'params'],
    'registry/steps/delete-steps.ts',
    'removal.held = finalizers.length > 0 ||',
    'removal.held = (finalizers.length > 0 && options.gracePeriodSeconds !== 0) ||',
  ),
  slip(
    'finalizers do not hold CronJobs',
    ['deletion'],
    'registry/steps/delete-steps.ts',
    'removal.held = finalizers.length > 0 ||',
    "removal.held = (finalizers.length > 0 && resource.plural !== 'cronjobs') ||",
  ),
  slip(
    'a Pod that is let go by the last of its finalizers gets no time to end',
    ['component'],
    'registry/steps/commit.ts',
    'return !held && (metadata.deletionGracePeriodSeconds ?? 0) <= 0;',
    'return !held;',
  ),
  slip(
    'a write that takes the last finalizer is answered with the object as it was before',
    ['deletion'],
    'registry/steps/commit.ts',
    'answer: draft.emptiesBytes ? withoutBytes(served, next) : next',
    'answer: draft.emptiesBytes ? withoutBytes(served, next) : kept',
  ),
  slip(
    'finalizers do not hold ControllerRevisions',
    ['deletion'],
    'registry/steps/delete-steps.ts',
    'removal.held = finalizers.length > 0 ||',
    "removal.held = (finalizers.length > 0 && resource.plural !== 'controllerrevisions') ||",
  ),
  slip(
    'a write that takes the last finalizer and changes something else removes nothing',
    ['deletion'],
    'registry/steps/commit.ts',
    'if (kept && goes(draft))',
    'if (kept && goes(draft) && deepEqual(kept.metadata.annotations, next.metadata.annotations))',
  ),
];
