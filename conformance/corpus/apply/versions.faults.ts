import { slip } from '../fault.ts';

const apply = 'patch/apply/apply.ts';
const update = 'patch/apply/track-update.ts';

/** Who owns what where it was written in several versions, through a status, or before its type changed. */
export default [
  slip(
    'who writes a status in one version takes all that others wrote in another',
    ['apply', 'verbs'],
    update,
    'const fields = changes ? fieldsLeft(manager, changes, each === identity) : noFields;',
    'const same = !update.subresource || manager.apiVersion === update.apiVersion;\n    const fields = changes && same ? fieldsLeft(manager, changes, each === identity) : noFields;',
  ),
  slip(
    'who applies the first status of an object does not own it',
    ['apply'],
    apply,
    'if (isEmptySet(fields)) managers.delete(identity);\n  if (managers.size',
    "if (isEmptySet(fields) || (request.subresource && live && !('status' in live))) managers.delete(identity);\n  if (managers.size",
  ),
  slip(
    'what was applied in one version stays when it is left out in another',
    ['apply'],
    apply,
    'if (last && (leftOut || last.apiVersion !== apiVersion))',
    'if (last && leftOut && last.apiVersion === apiVersion)',
  ),
  slip(
    'who writes an object in one version takes all that others wrote in another',
    ['apply', 'verbs'],
    update,
    'const fields = changes ? fieldsLeft(manager, changes, each === identity) : noFields;',
    'const same = update.subresource || manager.apiVersion === update.apiVersion;\n    const fields = changes && same ? fieldsLeft(manager, changes, each === identity) : noFields;',
  ),
  slip(
    'a list of a custom type that became atomic is still owned entry by entry',
    ['apply', 'kinds'],
    'patch/apply/typed-value.ts',
    'if (isAtomic(structure)) return ownedField;\n  let below',
    "if (structure.type !== 'list' && isAtomic(structure)) return ownedField;\n  let below",
  ),
  slip(
    'a map of a custom type that became atomic is still owned key by key',
    ['apply', 'kinds'],
    'patch/apply/other-versions.ts',
    'const fields = structure ? ownedWhole(manager.fields, structure) : manager.fields;',
    'const fields = manager.fields;',
  ),
  slip(
    'what somebody set in another version is left alone by conflicts',
    ['versioning'],
    'registry/steps/managers.ts',
    '  if (!found || found.prefix !== resource.prefix) return undefined;',
    '  if (!found || found.served !== resource.served) return undefined;',
  ),
];
