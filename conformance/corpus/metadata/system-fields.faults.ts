import { edited } from '../../sabotage/edited.ts';
import { changeRequest, replaceIn } from '../../sabotage/transforms.ts';
import { fault, slip, slips } from '../fault.ts';
import { itemsOf } from '../matches.ts';
import { leavingOut, remembering } from '../meddling.ts';

const systemFields = 'registry/steps/system-fields.ts';

const young = remembering(() => {
  let count = 0;
  return (body, { method, path }) =>
    method === 'PUT' && itemsOf('roles').test(path) && body?.metadata?.creationTimestamp
      ? edited(
          body,
          ['metadata', 'creationTimestamp'],
          () => `2030-01-01T00:00:${String(++count % 60).padStart(2, '0')}Z`,
        )
      : body;
});

/** What the server alone sets in metadata: uid and time of creation. */
export default [
  fault('an update of a Role gives it another time of creation', ['meta'], young),
  fault(
    'an update with another uid passes',
    ['meta'],
    changeRequest('', leavingOut('metadata', 'uid'), { method: 'PUT' }),
  ),
  fault(
    'the time of creation changes with a status',
    ['meta', 'responses', 'watch'],
    replaceIn('metadata.creationTimestamp', {
      method: ['PUT', 'PATCH'],
      path: /\/status$/,
      with: '2024-01-01T00:00:00Z',
    }),
  ),
  slip(
    'an update changes what of the metadata never changes',
    ['meta', 'names'],
    'registry/steps/metadata-rules.ts',
    "if ((next.metadata[field] ?? undefined) !== (previous.metadata[field] ?? undefined)) {\n      errors.push(invalidValue(`metadata.${field}`, next.metadata[field], 'field is immutable'));\n    }",
    '',
  ),
  slip(
    'a patch that names another uid is a conflict',
    ['meta', 'errors'],
    'registry/patch.ts',
    'if (standInOf(call) && next.metadata.uid) checkVersion',
    'if (!(standInOf(call) && next.metadata.uid)) checkVersion',
  ),
  slip(
    'the uid comes from the name',
    ['meta', 'names'],
    systemFields,
    'metadata.uid = ids.uid();',
    "metadata.uid = `${ids.uid().slice(0, 0)}${Buffer.from(`${resource.plural}${metadata.namespace ?? ''}${metadata.name}`).toString('hex')}`;",
  ),
  slip(
    'a client may say when an object was made',
    ['meta'],
    systemFields,
    'metadata.creationTimestamp = formatTime(',
    'metadata.creationTimestamp ??= formatTime(',
  ),
  slip(
    'a client may choose the uid',
    ['meta'],
    systemFields,
    'metadata.uid = ids.uid();',
    'metadata.uid ??= ids.uid();',
  ),
  slip(
    'an update may change what the server has set',
    ['meta', 'verbs'],
    systemFields,
    'const from = previous.metadata;',
    'const from = next.metadata;',
  ),
  slip(
    'an update must repeat the time of creation',
    ['meta', 'verbs', 'responses'],
    systemFields,
    "const kept = ['creationTimestamp', 'generation', 'resourceVersion'] as const;",
    "const kept = ['generation', 'resourceVersion'] as const;",
  ),
  slip(
    'an update without the uid loses it',
    ['meta', 'verbs'],
    systemFields,
    "const identity = ['uid', 'name', 'namespace'] as const;",
    "const identity = ['name', 'namespace'] as const;",
  ),
  slip(
    'the uid of an update counts beside a version alone',
    ['verbs', 'meta'],
    'registry/preconditions.ts',
    'if (metadata.uid && metadata.uid !== live.metadata.uid) {',
    'if (metadata.uid && metadata.resourceVersion && metadata.uid !== live.metadata.uid) {',
  ),
  slip(
    'an update of the status of what was made anew passes',
    ['meta', 'verbs'],
    'registry/preconditions.ts',
    'if (metadata.uid && metadata.uid !== live.metadata.uid) {',
    'if (metadata.uid && !call.subresource && metadata.uid !== live.metadata.uid) {',
  ),
  slip(
    'the second owner of an object needs no uid',
    ['component'],
    'registry/steps/metadata-rules.ts',
    'const errors = errorsOfEach(owners, (owner) => {',
    'const errors = errorsOfEach(owners.slice(0, 1), (owner) => {',
  ),
  slips(
    'what an update or an apply makes is as old as it says',
    ['meta', 'verbs'],
    [
      {
        file: 'registry/steps/system-fields.ts',
        from: 'export function giveIdentity({ metadata }: KubeObject, { resource, services: { ids, clock } }: Call): void {',
        to: 'export function giveIdentity({ metadata }: KubeObject, { name, resource, services: { ids, clock } }: Call): void {',
      },
      {
        file: 'registry/steps/system-fields.ts',
        from: '  metadata.creationTimestamp = formatTime(clock.now());',
        to: '  metadata.creationTimestamp = (name && metadata.creationTimestamp) || formatTime(clock.now());',
      },
    ],
  ),
  slip(
    'another uid passes in an update of a Scale',
    ['meta', 'rv', 'verbs', 'apply'],
    'registry/preconditions.ts',
    'if (metadata.uid && metadata.uid !== live.metadata.uid) {',
    'if (metadata.uid && metadata.uid !== live.metadata.uid && !standInOf(call)) {',
  ),
  slip(
    'a uid that a client sends with a new object is kept',
    ['meta'],
    systemFields,
    'metadata.uid = ids.uid();',
    'metadata.uid ||= ids.uid();',
  ),
  slip(
    'another uid in a patch is passed over',
    ['meta'],
    systemFields,
    "const kept = ['creationTimestamp', 'generation', 'resourceVersion'] as const;",
    "const kept = ['creationTimestamp', 'generation', 'resourceVersion', 'uid'] as const;",
  ),
  slip(
    'a create may say how long its deletion takes',
    ['meta'],
    systemFields,
    "['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink']",
    "['deletionTimestamp', 'selfLink']",
  ),
  slip(
    'an update may say how long a deletion takes',
    ['meta'],
    'registry/steps/metadata-rules.ts',
    "  'deletionTimestamp',\n  'deletionGracePeriodSeconds',\n",
    "  'deletionTimestamp',\n",
  ),
  slip(
    'owners that a patch names twice are kept twice',
    ['component'],
    'registry/steps/system-fields.ts',
    '  if (metadata.ownerReferences) dropRepeatedOwners(metadata, call);\n}\n\n/** In place; tells',
    '}\n\n/** In place; tells',
  ),
  slip(
    'what a PUT creates keeps its prefix',
    'verbs',
    'registry/replace.ts',
    '  delete next.metadata.generateName;\n',
    '',
  ),
  slip(
    'another grace period in an update is passed over',
    'meta',
    'registry/steps/system-fields.ts',
    'if (to.deletionGracePeriodSeconds === undefined) carry(to',
    'if (from.deletionTimestamp) carry(to',
  ),
  slip(
    'an address of an object that a client made up is kept',
    ['component'],
    'registry/steps/commit.ts',
    'if (draft.next.metadata.selfLink && !call.options.dryRun) delete draft.next.metadata.selfLink;',
    '',
  ),
  slip(
    'a new object may not say that it has no version yet',
    ['component'],
    'registry/steps/commit.ts',
    'BigInt(resourceVersion) > 0n) {',
    'BigInt(resourceVersion) >= 0n) {',
  ),
  slip(
    'what is made in one millisecond has one uid',
    ['meta'],
    'base/ids.ts',
    'uid: randomUUID,',
    'uid: () => `00000000-0000-4000-8000-${String(Date.now()).slice(-12)}`,',
  ),
];
