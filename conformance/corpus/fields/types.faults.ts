import { fault, slip, slips } from '../fault.ts';
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
  slip(
    'a number may be too large for its field of 32 bits',
    ['fields'],
    'schema/scalars.ts',
    "if (typeof value === 'number' && (value | 0) === value && !odd) return value;",
    "if (typeof value === 'number' && Number.isInteger(value) && !odd) return value;",
  ),
  slip(
    'bytes may come in the base64 of addresses',
    ['fields'],
    'schema/scalars.ts',
    '/^[A-Za-z0-9+/]*={0,2}$/',
    '/^[A-Za-z0-9+/_-]*={0,2}$/',
  ),
  slip(
    'a time is rounded to the next second',
    ['kinds'],
    'schema/scalars.ts',
    'const text = `${spellSeconds(read.seconds)}Z`;',
    'const text = `${spellSeconds(Math.round(read.seconds + Number(`0${read.digits}`)))}Z`;',
  ),
  slip(
    'an exponent of an amount has to be in small letters',
    ['fields', 'kinds'],
    'base/quantity.ts',
    String.raw`[numkMGTPE]|[eE][+-]?\d+)?$/;

const nano`,
    String.raw`[numkMGTPE]|e[+-]?\d+)?$/;

const nano`,
  ),
  slips(
    'amounts stay as they were spelt',
    ['fields', 'kinds'],
    [
      {
        file: 'base/quantity.ts',
        from: 'return quantity && unlessSaid(text.trim(), formatQuantity(quantity));',
        to: 'return quantity && text.trim();',
      },
      {
        file: 'base/quantity.ts',
        from: 'return unlessSaid(text.trim(), formatQuantity({ nanos: nanos < 0n ? -rounded : rounded, format }));',
        to: 'return text.trim();',
      },
    ],
  ),
  slip(
    'a text of digits becomes a number where either may stand',
    ['fields', 'kinds'],
    'schema/scalars.ts',
    "return typeof value === 'string' ? value : int32(value, odd);",
    String.raw`return typeof value === 'string' && !/^\d+$/.test(value) ? value : int32(Number(value), odd);`,
  ),
  slip(
    'amounts are told as they were spelt',
    ['component'],
    'base/quantity.ts',
    'const unlessSaid = (text: string, canonical: string) => (saysTheSame(text, canonical) ? text : canonical);',
    'const unlessSaid = (text: string, canonical: string) => (text || canonical);\nvoid saysTheSame;',
  ),
  slip(
    'null among texts is not taken for an empty one',
    ['component'],
    'schema/check.ts',
    'const after = before === null ? zeroInMap(values) : this.typed(before, values, value, key, depth + 1);',
    'const after = before === null ? null : this.typed(before, values, value, key, depth + 1);',
  ),
  slip(
    'an amount with a fraction of a binary unit is refused',
    ['component'],
    'base/quantity.ts',
    '  const format = formatOf(suffix);\n',
    "  const format = formatOf(suffix);\n  if (format === 'binary' && fraction !== '') return undefined;\n",
  ),
  slip(
    'times west of Greenwich are read as if they were east',
    ['kinds'],
    'schema/scalars.ts',
    "(zone.startsWith('-') ? -60 : 60)",
    '60',
  ),
  slip(
    'a day that there is not is the one after the last',
    ['kinds'],
    'schema/scalars.ts',
    'if (!exists || Number(hour) > 23',
    'if (Number(hour) > 23',
  ),
  slip(
    'an empty list may stand for an empty map',
    ['fields'],
    'schema/check.ts',
    "      case 'map':\n        if (typeof value !== 'object'",
    "      case 'map':\n        if (Array.isArray(value) && value.length === 0) return {};\n        if (typeof value !== 'object'",
  ),
  slip(
    'an empty map may stand for an empty list',
    ['fields'],
    'schema/check.ts',
    "if (!Array.isArray(value)) throw this.#mistake(wrongType(value, 'list'), depth);",
    "if (!Array.isArray(value) && JSON.stringify(value) === '{}') return [];\n        if (!Array.isArray(value)) throw this.#mistake(wrongType(value, 'list'), depth);",
  ),
  slip(
    'a number may be too large for its field of 64 bits',
    ['fields'],
    'schema/scalars.ts',
    'if (!fits || value < least || value > most) throw wrongType(value, name);',
    'if (!fits) throw wrongType(value, name);',
  ),
  slip(
    'bytes in base64 may not be broken into lines',
    ['fields'],
    'schema/scalars.ts',
    "const text = value.includes('\\n') || value.includes('\\r') ? value.replace(/[\\r\\n]+/g, '') : value;",
    'const text = value;',
  ),
  slip(
    'a fine time may have any number of digits',
    ['kinds'],
    'schema/scalars.ts',
    "if (fraction === 'six digits' && digits.length !== 7) return undefined;",
    '',
  ),
  slip(
    'a whole number may be written with a fraction',
    ['fields'],
    'schema/scalars.ts',
    '(value | 0) === value && !odd)',
    '(value | 0) === value)',
  ),
  slip(
    'an amount with an exponent is told with a suffix',
    ['component'],
    'base/quantity.ts',
    "return /^[eE]./.test(suffix) ? 'exponent' : 'decimal';",
    "return 'decimal';",
  ),
  slip('no amount is written in millionths', ['component'], 'base/quantity.ts', "  ['u', -6],\n", ''),
];
