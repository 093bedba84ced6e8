import { edited } from '../../sabotage/edited.ts';
import { changeRequest, requestHeader } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { fault, slip } from '../fault.ts';

const strategicMerge = 'patch/strategic-merge.ts';

const withoutNulls = (values: Json): Json =>
  values && Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** Strategic merge patches, and who takes them. */
export default [
  fault(
    'null in the labels of a strategic merge patch is passed over',
    ['meta', 'verbs'],
    changeRequest('', (body) => edited(body, ['metadata', 'labels'], withoutNulls), {
      method: 'PATCH',
      header: { 'content-type': /strategic/ },
      body: /null/,
    }),
  ),
  fault(
    'strategic merge patches are plain merge patches',
    ['verbs', 'apply'],
    requestHeader('content-type', 'application/merge-patch+json', {
      method: 'PATCH',
      header: { 'content-type': /strategic/ },
    }),
  ),
  slip(
    'a map that a strategic merge patch is to replace is merged',
    ['verbs'],
    strategicMerge,
    'if (instruction !== undefined) return instructedMap(instruction, patch);',
    "if (instruction === 'replace') return { ...result, ...instructedMap(instruction, patch) };\n  if (instruction !== undefined) return instructedMap(instruction, patch);",
  ),
  slip(
    'a strategic merge patch keeps what it does not say to retain',
    ['verbs'],
    strategicMerge,
    'if (Object.hasOwn(patch, retainKeys)) retain(result, patch);',
    '',
  ),
  slip(
    'a strategic merge patch keeps null in what it adds',
    ['verbs'],
    strategicMerge,
    'putMember(result, name, withoutNulls(patch));',
    'putMember(result, name, cloneJson(patch));',
  ),
  slip(
    'a strategic merge patch adds nothing that was not there',
    ['verbs', 'params'],
    strategicMerge,
    '} else putMember(result, name, withoutNulls(patch));',
    '}',
  ),
  slip(
    'a strategic merge patch does not heed the order that it asks for',
    ['verbs'],
    strategicMerge,
    'if (key.startsWith(orderPrefix)) yield* mergeOrdered(result, patch, key, structure, done);',
    'if (key.startsWith(orderPrefix)) done.add(key);',
  ),
  slip(
    'a strategic merge patch replaces lists of plain values',
    ['verbs'],
    strategicMerge,
    'if (!field?.patch?.merge) return cloneJson(patch) as Json[];',
    'if (!field?.patch?.merge || field.patch.mergeKey === undefined) return cloneJson(patch) as Json[];',
  ),
  slip(
    '$patch: delete is passed over in lists',
    ['content', 'verbs'],
    strategicMerge,
    "else if (instruction === 'delete') deleted.add(nameOf(element));",
    "else if (instruction === 'delete') continue;",
  ),
  slip(
    '$patch: replace is passed over in lists',
    ['content', 'verbs'],
    strategicMerge,
    'if (replaces) return { base: cloneJson(rest), rest: [] };',
    '',
  ),
  slip(
    '$retainKeys retains everything',
    ['content', 'verbs'],
    strategicMerge,
    'for (const key of Object.keys(result)) if (!names.has(key)) delete result[key];',
    '',
  ),
  slip(
    '$deleteFromPrimitiveList deletes nothing',
    ['content', 'verbs'],
    strategicMerge,
    'field?.patch?.merge ? without(current, patch) : cloneJson(patch)',
    'current',
  ),
  slip(
    'a map that a strategic merge patch replaces or deletes is merged',
    ['verbs', 'apply'],
    strategicMerge,
    'if (instruction !== undefined) return instructedMap(instruction, patch);',
    '',
  ),
  slip(
    'a strategic merge patch orders what is no list',
    ['verbs', 'errors'],
    strategicMerge,
    'if (list !== undefined && list !== null && !Array.isArray(list))\n      throw new MalformedPatchError(`${name} is not a list`);',
    '',
  ),
  slip(
    'custom objects take strategic merge patches',
    ['content', 'verbs'],
    'request/verbs/write.ts',
    'const accepted = custom ? customPatchTypes : patchTypes;',
    'const accepted = patchTypes;',
  ),
  slip(
    'a strategic merge does not find list elements that a number tells apart',
    ['params', 'verbs', 'content', 'apply'],
    strategicMerge,
    'const place = places.get(name);',
    "const place = typeof name === 'number' ? undefined : places.get(name);",
  ),
  slip(
    'a strategic merge does not delete what a number tells apart',
    ['verbs', 'params'],
    strategicMerge,
    '!deleted.has(nameOf(element))',
    "(typeof nameOf(element) === 'number' || !deleted.has(nameOf(element)))",
  ),
  slip(
    'what an element of a merged list holds is replaced by a strategic merge',
    ['verbs', 'apply', 'content'],
    strategicMerge,
    'if (place !== undefined && known) merged[place] = yield* mergeMaps(known, element, elements);',
    'if (place !== undefined && known) merged[place] = yield* mergeMaps(known, element, undefined);',
  ),
  slip(
    'of several elements that a strategic merge deletes the first goes',
    ['verbs'],
    strategicMerge,
    "else if (instruction === 'delete') deleted.add(nameOf(element));",
    "else if (instruction === 'delete') {\n      if (deleted.size === 0) deleted.add(nameOf(element));\n    }",
  ),
  slip(
    'a strategic merge patch puts the elements that it does not name behind those it names',
    'verbs',
    'patch/strategic-order.ts',
    'had[one] !== isNew && (had[one] as number) < bound;',
    'had[one] === isNew && (had[one] as number) < bound;',
  ),
  slip(
    'what a strategic merge patch sets and does not retain is set',
    ['verbs'],
    strategicMerge,
    'if (plain && patch[key] !== null && !names.has(key))',
    'if (plain && patch[key] !== null && names.size === 0)',
  ),
  slip(
    'a strategic merge patch may bring what its order of elements does not name',
    ['verbs'],
    strategicMerge,
    "if (position < 0) throw new MalformedPatchError('the order of the patch does not match its $setElementOrder list');",
    'if (position < 0) continue;',
  ),
  slip(
    'a strategic merge patch that deletes an element that is not there makes it',
    ['verbs'],
    strategicMerge,
    "else if (instruction === 'delete') deleted.add(nameOf(element));",
    "else if (instruction === 'delete' && current.some((one) => nameOf(one) === nameOf(element)))\n      deleted.add(nameOf(element));\n    else if (instruction === 'delete') rest.push(element);",
  ),
  slip(
    'texts to be taken from a list that there is not become one',
    ['verbs'],
    'patch/strategic-merge.ts',
    '    if (Array.isArray(current) && Array.isArray(patch))\n      putMember(result, name,',
    '    if (!Array.isArray(current)) putMember(result, name, cloneJson(patch));\n    else if (Array.isArray(patch))\n      putMember(result, name,',
  ),
  slip(
    'a text that is merged into a list where it is already is there twice',
    ['verbs'],
    'patch/strategic-merge.ts',
    'const added = patch.filter(first(wanted)).filter((element) => !original.has(scalarName(element)));',
    'const added = patch.filter(first(wanted));',
  ),
  slip(
    'an element of a merged list may lack its key',
    ['verbs'],
    strategicMerge,
    '    if (value === undefined)\n      throw new MalformedPatchError(`an element of the list does not contain its merge key: ${mergeKey}`);\n    return scalarName(value);',
    '    return scalarName(value ?? null);',
  ),
  slip(
    'an instruction of a strategic merge patch that there is not is passed over',
    ['verbs'],
    strategicMerge,
    "if (instruction !== 'replace') throw unknownInstruction(instruction);",
    "if (instruction !== 'replace') return { ...patch };",
  ),
  slip(
    'a text to be retained retains everything',
    ['verbs'],
    strategicMerge,
    "if (!Array.isArray(kept)) throw new MalformedPatchError('invalid patch format of retainKeys');",
    'if (!Array.isArray(kept)) return;',
  ),
  slip(
    'an order of elements that is no list is passed over',
    ['verbs'],
    strategicMerge,
    'if (!Array.isArray(order)) throw new MalformedPatchError(`${directiveKey} is not a list`);',
    'if (!Array.isArray(order)) return;',
  ),
  slip(
    'a directive of a strategic merge patch that names no list is passed over',
    ['verbs'],
    strategicMerge,
    '    checkDirective(key);\n',
    "    if (!key.includes('/') && key.startsWith('$')) done.add(key);\n",
  ),
  slip(
    'a strategic merge patch of a status merges no lists',
    ['verbs'],
    'registry/read-patch.ts',
    'const merged = yield* applyStrategicMerge(document, decoded.value, structure);',
    "const of = Object.hasOwn(decoded.value as object, 'status') ? { type: 'any' } : structure;\n      const merged = yield* applyStrategicMerge(document, decoded.value, of as typeof structure);",
  ),
];
