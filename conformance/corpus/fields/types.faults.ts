import { fault, slip } from '../fault.ts';
import { lenient } from '../meddling.ts';

/** Values of the wrong type. */
export default [
  fault(
    'a wrong type in a patch is passed over',
    'fields',
    lenient({ method: 'PATCH', header: { 'content-type': /merge-patch/ } }, [400, 422]),
  ),
  slip(
    'a number in a map of texts becomes one',
    ['fields'],
    'schema/check.ts',
    'zeroInMap(values) : this.typed(before, values, value, key, depth + 1);',
    "zeroInMap(values) : typeof before === 'number' && values.type === 'scalar' ? String(before) : this.typed(before, values, value, key, depth + 1);",
  ),
  slip(
    'a text is taken in a schema where a schema or a boolean belongs',
    ['fields'],
    'schema/compile.ts',
    "\n      orBoolean: name.endsWith('OrBool'),",
    '',
  ),
  slip(
    'a time or an amount that is empty is dropped',
    ['fields', 'meta'],
    'schema/compile.ts',
    "  type === 'time' || type === 'microTime' || type === 'quantity' || type === 'intOrString' || type === 'double';",
    "  type === 'double';",
  ),
];
