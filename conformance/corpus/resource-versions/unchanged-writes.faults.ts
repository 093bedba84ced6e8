import { changeRequest } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';

const commit = 'registry/steps/commit.ts';

/** Writes that change nothing, or seem to. */
export default [
  fault(
    'a write that changes nothing gives a new version',
    ['rv'],
    changeRequest(
      '',
      (body) => ({
        ...body,
        metadata: {
          ...body.metadata,
          annotations: { ...body.metadata?.annotations, 'example.com/touched': `${Math.random()}` },
        },
      }),
      { method: 'PUT', path: /\/roles\/[^/]+$/ },
    ),
  ),
  slip(
    'an update of a status that changes nothing gives a new version',
    ['rv'],
    commit,
    '    sameMembers(next, kept, ',
    "    !(next['status'] !== undefined && kept['status'] !== undefined && next['spec'] === kept['spec'] && next['spec'] !== undefined) &&\n    sameMembers(next, kept, ",
  ),
  slip(
    'a change of annotations alone is not stored',
    ['rv', 'meta', 'watch'],
    commit,
    "    sameMembers(next.metadata, kept.metadata, 'managedFields') &&\n",
    "    sameMembers({ ...next.metadata, annotations: 0 } as Members, { ...kept.metadata, annotations: 0 } as Members, 'managedFields') &&\n",
  ),
  slip(
    'writes that change nothing give custom objects a new version',
    ['rv', 'verbs'],
    commit,
    'draft.change = draft.kept ? changeOf(draft, draft.kept) : { write: draft.next };',
    'draft.change = { write: draft.next };',
  ),
  slip(
    'a write that changes nothing is stored anew',
    ['rv', 'watch'],
    commit,
    'return isSame ? { keep: true } : { write: next };',
    'return { write: next };',
  ),
  slip(
    'an apply that changes nothing is stored anew',
    ['apply', 'rv'],
    'patch/apply/apply.ts',
    'const unchanged = live && isEmptySet(own.set) && isEmptySet(own.removed) && saysTheSame(live, object);',
    'const unchanged = false;',
  ),
  slip(
    'a change of owners alone is not stored',
    ['verbs'],
    commit,
    "sameMembers(next.metadata, kept.metadata, 'managedFields') &&",
    "sameMembers({ ...next.metadata, ownerReferences: 0 }, { ...kept.metadata, ownerReferences: 0 }, 'managedFields') &&",
  ),
  slip(
    'another delete gives what finalizers hold a new version',
    ['rv', 'deletion'],
    'registry/steps/delete-steps.ts',
    'else if (!marked && sameFinalizers && readsAsWritten(current.value)) removal.change = { keep: true };',
    'else if (!marked && sameFinalizers && !current.value.metadata.deletionTimestamp) removal.change = { keep: true };',
  ),
  slips(
    'a patch that takes away what is not there gives a new version',
    ['rv', 'verbs'],
    [
      {
        file: 'registry/patch.ts',
        from: 'await write(call, proposed,',
        to: "await write({ ...call, nulls: type.includes('merge') && body.includes('null') }, proposed,",
      },
      {
        file: 'registry/steps/commit.ts',
        from: '{ next, emptiesBytes, managed, context }: Draft, kept',
        to: '{ next, emptiesBytes, managed, context, call }: Draft, kept',
      },
      { file: 'registry/steps/commit.ts', from: 'return isSame ?', to: 'return isSame && !call.nulls ?' },
    ],
  ),
  slips(
    'a write that changes nothing is stored anew each second',
    ['rv'],
    [
      {
        file: 'patch/apply/track-update.ts',
        from: 'return sameBeside(before, after, untracked) ? entries : firstEntries(update, fields);',
        to: 'return firstEntries(update, fields);',
      },
      {
        file: 'registry/steps/commit.ts',
        from: '(!managed || context.emptied.size === 0 || deepEqual(next.metadata.managedFields, kept.metadata.managedFields))',
        to: 'deepEqual(next.metadata.managedFields, kept.metadata.managedFields)',
      },
    ],
  ),
];
