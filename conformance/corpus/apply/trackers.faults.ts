import { slip, slips } from '../fault.ts';

const managers = 'patch/apply/managers.ts';
const compare = 'patch/apply/compare.ts';
const lifecycle = 'admission/plugins/namespace-lifecycle.ts';

/** Who owns what, as those keep it who track it beside the objects. */
export default [
  slip(
    'who writes an object owns the status that is left out of it',
    ['apply'],
    'registry/steps/managers.ts',
    "subresource ? ['spec'] : splitsStatus ? ['status'] : [];",
    "subresource ? ['spec'] : splitsStatus ? [] : [];",
  ),
  slip(
    'who applies in another version is somebody else',
    ['apply'],
    managers,
    "...(operation === 'Update' && { apiVersion }),",
    'apiVersion,',
  ),
  slip(
    'who owns what cannot be changed by an update',
    ['apply'],
    'patch/apply/track-update.ts',
    'return readManagers(sent);',
    'return undefined;',
  ),
  slip(
    'an apply that names the uid of what is gone makes something else',
    ['apply', 'verbs'],
    'registry/apply.ts',
    '    newAt(call, next);',
    '    delete next.metadata.uid;\n    newAt(call, next);',
  ),
  slips(
    'a number that others have set cannot be shared with them',
    ['apply'],
    [
      {
        file: compare,
        from: 'if (below.owned || before === after) return;',
        to: "if (below.owned || (before === after && typeof after !== 'number')) return;",
      },
      {
        file: compare,
        from: '      if (then !== now) this.#member(then, now,',
        to: "      if (then !== now || typeof now === 'number') this.#member(then, now,",
      },
    ],
  ),
  slip(
    'what is applied, or made by a manager that is named, needs no namespace',
    ['verbs', 'apply', 'paths'],
    lifecycle,
    "    if (namespace === '') return undefined;",
    "    if (namespace === '' || attributes.options()?.fieldManager) return undefined;",
  ),
  slip(
    'of many managers the first by name are merged',
    'apply',
    'patch/apply/managers.ts',
    'compareTexts(a.time, b.time) || compareTexts(idA, idB)',
    'compareTexts(idA, idB)',
  ),
];
