import { edited } from '../../sabotage/edited.ts';
import { changeRequest } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { without } from '../meddling.ts';

const collector = '../controllers/garbage-collection/collector.ts';

/** References to owners, and what goes with its owner. */
export default [
  fault(
    'false is lost in what is said of owners',
    ['meta'],
    changeRequest(
      '',
      (body) =>
        edited(body, ['metadata', 'ownerReferences', '*'], (owner) =>
          owner?.blockOwnerDeletion === false ? without('blockOwnerDeletion', owner) : owner,
        ),
      { body: /"blockOwnerDeletion":false/ },
    ),
  ),
  slip(
    'custom objects that nobody owns any more stay',
    ['component', 'deletion'],
    collector,
    'const isCollectable = ({ group, plural, verbs }: ServedResource): boolean =>\n',
    "const isCollectable = ({ group, plural, verbs }: ServedResource): boolean =>\n  (!group.includes('.') || group.endsWith('.k8s.io')) &&\n",
  ),
  slip(
    'what is owned by an object of no namespace stays when that goes',
    ['component', 'deletion'],
    collector,
    "if (!served || (served.namespaced && !namespace)) return 'unknown';",
    "if (!served || !served.namespaced || !namespace) return 'unknown';",
  ),
  slip(
    'whoever has the name of an owner is taken for the owner',
    ['component', 'deletion'],
    collector,
    "return found && uidOf(found) === owner.uid ? stateOfObject(found) : 'absent';",
    "return found ? stateOfObject(found) : 'absent';",
  ),
  slip(
    'what has two owners goes with the first of them',
    ['deletion'],
    '../controllers/garbage-collection/plan.ts',
    "if (states.includes('there')) {",
    "if (states.every((state) => state === 'there')) {",
  ),
  slip(
    'a foreground deletion waits for those as well that do not hold it',
    ['deletion'],
    '../controllers/garbage-collection/plan.ts',
    'reference.uid === uid && reference.blockOwnerDeletion),',
    'reference.uid === uid),',
  ),
  slip(
    'two owners may both be the controller',
    ['meta'],
    'registry/steps/metadata-rules.ts',
    'if (controllers.length > 1) {',
    'if (controllers.length > 2) {',
  ),
  slip(
    'an owner needs no uid',
    ['meta'],
    'registry/steps/metadata-rules.ts',
    "(['apiVersion', 'kind', 'name', 'uid'] as const)",
    "(['apiVersion', 'kind', 'name'] as const)",
  ),
  slip(
    'who leaves one of two owners is left by both',
    ['component'],
    '../controllers/garbage-collection/reconcile.ts',
    'const ownerReferences = ownersOf(node.object).filter((owner) => !uids.includes(owner.uid));',
    'const ownerReferences: readonly OwnerReference[] = uids.length > 0 ? [] : ownersOf(node.object);',
  ),
  slip(
    'a foreground deletion waits for nobody',
    ['component'],
    '../controllers/garbage-collection/plan.ts',
    "return blocking.length > 0 ? { do: 'wait', blocking } : { do: 'finish' };",
    "return blocking.length > 1_000 ? { do: 'wait', blocking } : { do: 'finish' };",
  ),
  slip(
    'of two references to one owner that differ the first alone is kept',
    ['meta'],
    'registry/steps/system-fields.ts',
    'const text = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);',
    'const text = uid;',
  ),
  slip(
    'what is in no namespace is collected where its owner would be in one',
    ['deletion'],
    '../controllers/garbage-collection/collector.ts',
    "if (!served || (served.namespaced && !namespace)) return 'unknown';",
    "if (!served) return 'unknown';\n    if (served.namespaced && !namespace) return 'absent';",
  ),
  slip(
    'an Event may own other objects',
    ['meta'],
    'registry/steps/metadata-rules.ts',
    "const coreEvent = owner.apiVersion === 'v1' && owner.kind === 'Event';",
    "const coreEvent = owner.apiVersion === '/v1' && owner.kind === 'Event';",
  ),
  slip(
    'an owner may be of any version, as long as it has one',
    ['component'],
    'registry/steps/metadata-rules.ts',
    "(field === 'apiVersion' ? !namesVersion(owner.apiVersion) : !owner[field])",
    '!owner[field]',
  ),
  slip(
    'two owners may both be the controller where a third is not',
    ['component', 'meta'],
    'registry/steps/metadata-rules.ts',
    'if (controllers.length > 1) {',
    'if (controllers.length > 1 && owners.length === controllers.length) {',
  ),
];
