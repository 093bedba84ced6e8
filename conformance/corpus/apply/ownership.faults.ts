import { slip, slips } from '../fault.ts';

const compare = 'patch/apply/compare.ts';
const trackUpdate = 'patch/apply/track-update.ts';
const apply = 'patch/apply/apply.ts';

/** Which fields a manager owns after applies and updates. */
export default [
  slip(
    'who gives up a field for good keeps it',
    ['apply'],
    'patch/apply/field-set.ts',
    'if (isEmptySet(left)) below.delete(element);\n    else below.set',
    'if (!isEmptySet(left)) below.set',
  ),
  slip(
    'managed fields own nothing',
    ['apply'],
    'patch/apply/field-set.ts',
    'if (below.size > 0) return { owned, below };',
    'if (!(below.size > 0)) return { owned, below };',
  ),
  slip(
    'what stays in an object is taken from those who own it',
    ['apply'],
    compare,
    'if (after && Object.hasOwn(after, name)) continue;',
    '',
  ),
  slip(
    'a list that is written as it is changes hands',
    ['apply'],
    compare,
    "else if (typeof before !== 'object' || !deepEqual(before, after)) this.#note('modified');",
    "else if (typeof before !== 'object' || !deepEqual(before, after) || Array.isArray(after)) this.#note('modified');",
  ),
  slip('whose field is changed keeps it', ['apply'], compare, "this.#note('modified');", ';'),
  slip(
    'what an update takes away stays in the books of its owners',
    ['apply'],
    trackUpdate,
    'const left = difference(fields, removed);',
    'const left = fields;',
  ),
  slip(
    'an update takes no field from those who owned it',
    ['apply'],
    trackUpdate,
    'fieldsLeft(manager, changes, each === identity)',
    'fieldsLeft(manager, changes, true)',
  ),
  slip(
    'an update of metadata takes no field from those who owned it',
    ['apply'],
    trackUpdate,
    '  return own ? left : difference(left, set);',
    "  return own || set.below.has('f:metadata') ? left : difference(left, set);",
  ),
  slip(
    'apply forgets who owned what in another version',
    ['apply', 'versioning'],
    'patch/apply/prune-unowned.ts',
    'if (!there) return merged;',
    'return merged;',
  ),
  slip(
    'what updates have set is nobody’s to those who apply',
    ['apply', 'errors'],
    apply,
    'if (!isEmptySet(lost)) conflicts.push',
    "if (!isEmptySet(lost) && manager.operation === 'Apply') conflicts.push",
  ),
  slip(
    'who applies what is there already owns nothing of it',
    ['apply'],
    apply,
    'if (isEmptySet(fields)) managers.delete(identity);',
    'if (isEmptySet(fields) || (unchanged && !last && live)) managers.delete(identity);',
  ),
  slip(
    'annotations of what apply makes are owned by nobody',
    ['apply'],
    apply,
    'const named = ownedFields(request);',
    "const named = request.live ? ownedFields(request) : ownedFields({ ...request, config: JSON.parse(JSON.stringify(request.config, (key, value) => (key === 'annotations' ? undefined : value))) });",
  ),
  slip(
    'who applies what others have applied takes it from them',
    ['apply'],
    apply,
    'left.set(manager, affected ? fieldsLeft(manager, changes) : fields);',
    'left.set(manager, difference(affected ? fieldsLeft(manager, changes) : fields, managers.get(applying)?.fields ?? noFields));',
  ),
  slip(
    'what somebody else removed stays among the fields of its manager',
    ['apply', 'meta'],
    'patch/apply/track-update.ts',
    'const left = difference(fields, removed);',
    'const left = own ? difference(fields, removed) : fields;',
  ),
  slip(
    'who writes a status takes nothing from those who owned it',
    'apply',
    'patch/apply/track-update.ts',
    'fieldsLeft(manager, changes, each === identity)',
    "fieldsLeft(manager, changes, each === identity || update.subresource === 'status')",
  ),
  slip(
    'who scales takes nothing from those who owned the number',
    ['apply'],
    'patch/apply/stand-in-managers.ts',
    'if (!number || owners.delete(identity))',
    'if (!number || owners.delete(identity) || number)',
  ),
  slips(
    'an update makes its manager the owner of all that the object holds, not of what it changed',
    ['apply'],
    [
      {
        file: trackUpdate,
        from: "import { UntypedValue } from './typed-value.ts';",
        to: "import { fieldSetOf, UntypedValue } from './typed-value.ts';",
      },
      {
        file: trackUpdate,
        from: 'const known = managers.get(identity)?.fields ?? noFields;',
        to: `const { next, structure, untracked = systemFields } = update;
    const { managedFields: _, ...metadata } = next.metadata;
    const known = fieldSetOf({ ...next, metadata } as unknown as JsonObject, structure, untracked);`,
      },
    ],
  ),
  slip(
    'who changes the number of replicas through a scale leaves it with its earlier owner as well',
    ['apply'],
    'patch/apply/stand-in-managers.ts',
    'if (!number || owners.delete(identity)) after.set(identity, manager);',
    'if (!number || owners.delete(identity) || manager) after.set(identity, manager);',
  ),
  slip(
    'an update leaves what it changes with who applied it before as well',
    ['apply'],
    'patch/apply/track-update.ts',
    'fieldsLeft(manager, changes, each === identity)',
    "fieldsLeft(manager, changes, each === identity || manager.operation === 'Apply')",
  ),
  slip(
    'who changes something else has no longer what he changed before',
    ['apply'],
    trackUpdate,
    'fields: includes(known, own.set) ? known : union(known, own.set) });',
    'fields: own.set });',
  ),
  slips(
    'who updates nothing is booked with nothing',
    ['apply', 'rv'],
    [
      {
        file: 'patch/apply/track-update.ts',
        from: 'if (changesNothing) return',
        to: 'if (changesNothing && managers.has(identityOf(writerOf(update)))) return',
      },
      {
        file: 'patch/apply/track-update.ts',
        from: 'if (isEmptySet(fields)) managers.delete(identity);\n  if',
        to: 'void fields;\n  if',
      },
      {
        file: 'patch/apply/track-update.ts',
        from: 'if (!isEmptySet(own.set)) {',
        to: 'if (!isEmptySet(own.set) || !managers.has(identity)) {',
      },
    ],
  ),
  slips(
    'a JSON patch takes no field from those who owned it',
    ['apply'],
    [
      {
        file: 'patch/apply/track-update.ts',
        from: 'fieldsLeft(manager, changes, each === identity)',
        to: 'fieldsLeft(manager, changes, each === identity || update.byJsonPatch)',
      },
      {
        file: 'registry/steps/managers.ts',
        from: 'apiVersion: resource.served.apiVersion,\n    subresource,',
        to: 'apiVersion: resource.served.apiVersion,\n    byJsonPatch: call.byJsonPatch,\n    subresource,',
      },
      {
        file: 'registry/patch.ts',
        from: 'await write(call, proposed,',
        to: "await write({ ...call, byJsonPatch: type.includes('json-patch') }, proposed,",
      },
    ],
  ),
  slip(
    'who applied before does not come to share what he applies later as it is',
    ['apply'],
    'patch/apply/apply.ts',
    'if (!unchanged) {\n',
    'if (unchanged && last) return { object: asItIs(live), managedFields: live.metadata.managedFields ?? [], changed: false };\n  if (!unchanged) {\n',
  ),
  slips(
    'what is applied anew has the managers of what had its name',
    ['apply', 'names'],
    [
      {
        file: 'patch/apply/apply.ts',
        from: 'function* merged(request: ApplyRequest)',
        to: 'const ghosts = new Map();\nfunction* merged(request: ApplyRequest)',
      },
      {
        file: 'patch/apply/apply.ts',
        from: 'const stored = readManagers(live?.metadata.managedFields)',
        to: 'const stored = readManagers(live ? live.metadata.managedFields : ghosts.get(config.metadata?.name))',
      },
      {
        file: 'patch/apply/apply.ts',
        from: 'return { object: result, managedFields, changed: !unchanged };',
        to: 'ghosts.set(config.metadata?.name, managedFields);\n  return { object: result, managedFields, changed: !unchanged };',
      },
    ],
  ),
  slip(
    'an apply of nothing leaves an entry of nothing',
    ['apply'],
    'patch/apply/apply.ts',
    '  if (isEmptySet(fields)) managers.delete(identity);\n',
    '',
  ),
  slip(
    'what may not be owned through one path may not be owned through any other',
    ['apply'],
    'registry/steps/managers.ts',
    'untrackedByKind.get(resource.rules)?.get(subresource) ?? untrackedIn(resource, subresource)',
    'untrackedByKind.get(resource.rules)?.values().next().value ?? untrackedIn(resource, subresource)',
  ),
];
