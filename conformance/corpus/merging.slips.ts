import { type Fault, slip } from './fault.ts';

const strategic = 'patch/strategic-merge.ts';
const json = 'patch/json-patch.ts';
const update = 'patch/apply/track-update.ts';

export const mergingSlips: readonly Fault[] = [
  slip(
    '$patch: delete is passed over in lists',
    ['content', 'verbs'],
    strategic,
    "else if (instruction === 'delete') deleted.add(nameOf(element));",
    "else if (instruction === 'delete') continue;",
  ),
  slip(
    '$patch: replace is passed over in lists',
    ['content', 'verbs'],
    strategic,
    'if (replaces) return { base: cloneJson(rest), rest: [] };',
    '',
  ),
  slip(
    '$retainKeys retains everything',
    ['content', 'verbs'],
    strategic,
    'for (const key of Object.keys(result)) if (!names.has(key)) delete result[key];',
    '',
  ),
  slip(
    '$deleteFromPrimitiveList deletes nothing',
    ['content', 'verbs'],
    strategic,
    'field?.patch?.merge ? without(current, patch) : cloneJson(patch)',
    'current',
  ),
  slip('what a JSON patch moves stays where it was', ['content', 'verbs'], json, '    this.#remove(source);\n', ''),
  slip(
    'a JSON patch may remove what is not there',
    ['content', 'verbs'],
    json,
    'if (!Object.hasOwn(container, segment)) throw missing(segment);',
    '',
  ),
  slip(
    'a merge patch adds to lists',
    ['content', 'verbs'],
    'patch/merge-patch.ts',
    'if (Array.isArray(patch)) return patch.map(',
    'if (Array.isArray(patch)) return (Array.isArray(target) ? [...target, ...patch] : patch).map(',
  ),
  slip(
    'custom objects take strategic merge patches',
    ['content', 'verbs'],
    'request/verbs/write.ts',
    'const accepted = custom ? customPatchTypes : patchTypes;',
    'const accepted = patchTypes;',
  ),
  slip(
    'apply leaves the elements of keyed lists that it is given no more',
    ['apply'],
    'patch/apply/merge.ts',
    'else if (!holds(was, false) || holds(is, false)) left.push(',
    'else left.push(',
  ),
  slip(
    'apply takes away what updates have set as well',
    ['apply'],
    'patch/apply/prune-unowned.ts',
    'for (const { apiVersion, fields } of managers.values()) {',
    "for (const { apiVersion, fields, operation } of managers.values()) {\n    if (operation === 'Update') continue;",
  ),
  slip(
    'what an update takes away stays in the books of its owners',
    ['apply'],
    update,
    'const left = difference(fields, removed);',
    'const left = fields;',
  ),
  slip(
    'an update takes no field from those who owned it',
    ['apply'],
    update,
    'fieldsLeft(manager, changes, each === identity)',
    'fieldsLeft(manager, changes, true)',
  ),
  slip(
    'a list of one empty entry does not clear managedFields',
    ['apply'],
    update,
    'if (sent.length === 0 || (sent.length === 1 && isBlank(sent[0]))) return new Map();',
    'if (sent.length === 0) return new Map();',
  ),
  slip(
    'managers of a status are not told from those of the object',
    ['apply'],
    'registry/managers.ts',
    '    apiVersion: resource.served.apiVersion,\n    subresource,\n    now',
    "    apiVersion: resource.served.apiVersion,\n    subresource: '',\n    now",
  ),
  slip(
    'apply forgets who owned what in another version',
    ['apply', 'versioning'],
    'patch/apply/prune-unowned.ts',
    'if (!there) return merged;',
    'return merged;',
  ),
  slip(
    'a keyed list of custom objects may have one key twice',
    ['apply'],
    'custom-resources/validate-extensions.ts',
    "if (schema['x-kubernetes-list-type'] === 'map') {",
    "if (schema['x-kubernetes-list-type'] === 'map' && schema['x-kubernetes-list-map-keys']?.length === 1) {",
  ),
];
