import { slip } from '../fault.ts';

/** What an order of a list that a strategic merge patch asks for does to the rest of the list. */
export default [
  slip(
    'what the order of a strategic merge patch does not name is lost',
    ['verbs'],
    'patch/strategic-merge.ts',
    'putMember(result, name, yield* orderElements(merged, yield* placesOf(order, nameOf), original, nameOf));',
    'const places = yield* placesOf(order, nameOf);\n  const ordered = yield* orderElements(merged, places, original, nameOf);\n  putMember(result, name, ordered.filter((element) => places.has(nameOf(element))));',
  ),
  slip(
    'an empty order is one that nothing fits',
    'verbs',
    'patch/strategic-merge.ts',
    '  if (order.length === 0) return;\n',
    '',
  ),
  slip(
    'a null beside an order is passed over',
    'verbs',
    'patch/strategic-merge.ts',
    '  if (patched === null) {\n    delete result[name];\n    return;\n  }\n  const nameOf',
    '  if (patched === null) return;\n  const nameOf',
  ),
  slip(
    'what a strategic merge patch brings in comes before what an order names',
    ['verbs'],
    'patch/strategic-order.ts',
    'place[n] = at ?? (had[n] === isNew ? original.size : (had[n] as number));',
    'place[n] = had[n] !== isNew ? (had[n] as number) + merged.length : (at ?? 0);',
  ),
  slip(
    'a strategic merge patch brings in the elements that its order names in whatever order it likes',
    'verbs',
    'patch/strategic-merge.ts',
    '    at = position + 1;\n',
    '',
  ),
  slip(
    'a text that a strategic merge patch says twice is there twice',
    'verbs',
    'patch/strategic-merge.ts',
    'patch.filter(first(wanted)).filter((element)',
    'patch.filter((element)',
  ),
];
