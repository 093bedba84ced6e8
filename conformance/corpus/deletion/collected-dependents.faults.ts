import { slip } from '../fault.ts';

/** Which owners keep what they own, and which of them who is owned holds up. */
export default [
  slip(
    'what is owned by something in another namespace stays',
    ['component', 'deletion'],
    '../controllers/garbage-collection/collector.ts',
    "return sameKind && name === nameOf(owner.object) && (scope === '' || scope === namespaceOf(object));",
    'return sameKind && name === nameOf(owner.object);',
  ),
  slip(
    'who has another owner holds up the one that is going',
    ['component', 'deletion'],
    '../controllers/garbage-collection/plan.ts',
    "const uids = owners.filter((_, index) => states[index] !== 'there').map(({ uid }) => uid);",
    "const uids = owners.filter((_, index) => states[index] === 'absent').map(({ uid }) => uid);",
  ),
  slip(
    'a deletion in the foreground waits for dependents that do not hold it up',
    ['deletion', 'params', 'component'],
    '../controllers/garbage-collection/plan.ts',
    ' && reference.blockOwnerDeletion),',
    '),',
  ),
];
