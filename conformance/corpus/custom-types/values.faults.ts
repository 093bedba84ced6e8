import { fault, slip, slips } from '../fault.ts';
import { custom } from '../matches.ts';
import { lenient } from '../meddling.ts';

const validate = 'custom-resources/validate.ts';
const validateScalars = 'custom-resources/validate-scalars.ts';
const validateExtensions = 'custom-resources/validate-extensions.ts';
const formats = 'custom-resources/formats.ts';

/** Which values a schema allows: types, limits, enums, patterns, formats, sets and keyed lists. */
export default [
  fault(
    'a text for a number is stored in custom objects',
    'fields',
    lenient({ method: ['POST', 'PUT'], path: /touchstone\.example/ }),
  ),
  slip(
    'what may be a number or a text may be true',
    ['kinds'],
    validate,
    "if (schema['x-kubernetes-int-or-string']) return ['integer', 'string'];",
    "if (schema['x-kubernetes-int-or-string']) return ['integer', 'string', 'boolean'];",
  ),
  slip(
    'objects of a list of custom objects may lack what they need from the second on',
    ['fields', 'component'],
    validate,
    '    else {\n      members?.(value, path, found);\n      required?.(value, path, found);\n    }',
    '    else {\n      members?.(value, path, found);\n      if (!/\\[[1-9]/.test(String(path))) required?.(value, path, found);\n    }',
  ),
  slip(
    'a custom object may have fewer members than it must',
    ['component', 'service', 'fields'],
    validate,
    "if (minProperties !== undefined && count < minProperties) tooFew(path, count, minProperties, 'properties', found);\n    else if",
    'if',
  ),
  slip(
    'an integer or a text of custom objects may be a fraction',
    ['component', 'service', 'fields'],
    validate,
    "return ['integer', 'string'];",
    "return ['integer', 'string', 'number'];",
  ),
  slip(
    'null is taken where a custom type lists its values and null is none of them',
    ['component', 'fields'],
    validate,
    '\n      members?.(value, path, found);\n      return',
    '\n      \n      return',
  ),
  slip(
    'the length of a text in custom objects is counted in bytes',
    ['component', 'service'],
    validateScalars,
    '  if (text.length <= limit) return false;',
    '  if (Buffer.byteLength(text) > limit) return true;\n  if (text.length <= limit) return false;',
  ),
  slip(
    'limits of numbers in custom objects leave the limit itself out',
    ['component', 'service'],
    validateScalars,
    'exclusiveMinimum ? value <= minimum : value < minimum',
    'value <= minimum',
  ),
  slip(
    'enums of custom objects hold for texts alone',
    ['component', 'service'],
    validateScalars,
    "if (!(onlyScalars && typeof value === 'object') && allowed.has(canonicalJson(value))) return;",
    "if (typeof value !== 'string' || allowed.has(canonicalJson(value))) return;",
  ),
  slip(
    'a pattern of a custom type has to match all of a text',
    ['kinds'],
    validateScalars,
    'const expression = pattern ? compilePattern(pattern) : undefined;',
    'const expression = pattern ? compilePattern(`^(?:${pattern})$`) : undefined;',
  ),
  slip(
    'numbers of custom objects may be any, whatever they must be multiples of',
    ['component', 'service', 'fields'],
    validateScalars,
    'if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {',
    'if (multipleOf !== undefined && multipleOf > 1 && !isMultiple(value, multipleOf)) {',
  ),
  slip('the largest limit of a custom type is one too large', ['component'], validateScalars, ' >= 2', ' > 2'),
  slip(
    'a set in custom objects may hold a value twice',
    ['apply'],
    validateExtensions,
    "if (schema['x-kubernetes-list-type'] === 'set') return hasNothingTwice((item) => item);",
    '',
  ),
  slip(
    'keys of a keyed list of custom objects are told apart by the first alone',
    ['apply'],
    validateExtensions,
    '  for (const name of keys) {\n    const part',
    '  for (const name of keys.slice(0, 1)) {\n    const part',
  ),
  slip(
    'a keyed list of custom objects may have one key twice',
    ['apply'],
    validateExtensions,
    "if (schema['x-kubernetes-list-type'] === 'map') {",
    "if (schema['x-kubernetes-list-type'] === 'map' && schema['x-kubernetes-list-map-keys']?.length === 1) {",
  ),
  slip(
    'the status of a custom object is not validated',
    ['component', 'service'],
    'custom-resources/custom-rules.ts',
    'status: { prepareUpdate: keepAllButStatus, validateUpdate: throughStatus }',
    'status: { prepareUpdate: keepAllButStatus }',
  ),
  slip(
    'an update of a custom object is not validated',
    ['component', 'service'],
    'custom-resources/custom-rules.ts',
    '    validateUpdate: (next, previous) => validate(next, previous),\n    table',
    '    validateUpdate: () => [],\n    table',
  ),
  slip('a uuid of version three has to look like two of them', ['component'], formats, 'third}', 'fourth}'),
  slip(
    'an address in mail with a quoted name is none',
    ['component'],
    formats,
    '/^"(?:[^"\\\\\\r\\n]|\\\\.)*"$/.test(text) || /^[^\\s@<>()[\\],;:\\\\".]+(?:\\.[^\\s@<>()[\\],;:\\\\".]+)*$/.test(text)',
    '(/^[^\\s@<>()[\\],;:\\\\".]+(?:\\.[^\\s@<>()[\\],;:\\\\".]+)*$/.test(text))',
  ),
  slip('a host name of two hundred and fifty-five characters is none', ['component'], formats, ' > 255', ' >= 255'),
  slip(
    'an address with a nought in front is no address to a custom type',
    ['component'],
    formats,
    'withoutLeadingZeros(text)',
    'text',
  ),
  slip(
    'rules of a custom type are asked about values of the wrong type',
    ['component'],
    'custom-resources/validation.ts',
    ",\n  'FieldValueTypeInvalid'",
    '',
  ),
  slip(
    'nothing is ever wrong with a custom object',
    ['component'],
    'custom-resources/findings.ts',
    'this.errors.length < mostErrors',
    '!(this.errors.length < mostErrors)',
  ),
  slip(
    'a custom object with a list that is a set may be given an element twice once it stands',
    ['versioning', 'apply', 'component'],
    'custom-resources/validation.ts',
    '!holdsTwice(lists, previous)',
    'previous === undefined',
  ),
  slip(
    'letters beyond the first plane count twice in custom objects',
    ['component'],
    'custom-resources/validate-scalars.ts',
    'return text.length - pairs > limit;',
    'return text.length - 0 * pairs > limit;',
  ),
  fault(
    'what breaks the rules of a custom type may be applied',
    ['fields', 'apply'],
    lenient({ method: 'PATCH', path: custom, header: { 'content-type': /apply/ } }, [422]),
  ),
  slip(
    'what a custom type allows stays as it was when the type changes',
    ['component', 'fields'],
    'custom-resources/life-cycle.ts',
    '  deepEqual(one.spec, other.spec) &&',
    '  deepEqual(JSON.stringify(one.spec).replace(/"maximum":\\d+/g, ""), JSON.stringify(other.spec).replace(/"maximum":\\d+/g, "")) &&',
  ),
  slips(
    'labels of custom objects may be anything',
    ['component', 'meta'],
    [
      {
        file: 'registry/validate.ts',
        from: '[...validateMetadata(resource, next, { takesManagers }), ...own]',
        to: "[...validateMetadata(resource, next, { takesManagers }).filter(({ field }) => !resource.custom || field !== 'metadata.labels'), ...own]",
      },
      {
        file: 'registry/validate.ts',
        from: 'const content = contentErrors(next.metadata);',
        to: "const content = contentErrors(next.metadata).filter(({ field }) => !resource.custom || field !== 'metadata.labels');",
      },
    ],
  ),
  slip(
    'what fits two of the alternatives of which it is to fit one is taken in custom objects',
    ['dryrun', 'component'],
    'custom-resources/validate-junctors.ts',
    'if (valid === 1) return;',
    'if (valid > 0) return;',
  ),
  slip(
    'a custom object that held a value twice before its list became a set cannot be changed any more',
    ['verbs', 'component'],
    'custom-resources/validation.ts',
    'lists && !holdsTwice(lists, previous)',
    'lists',
  ),
  slip(
    'values of a map of custom objects may lack what they need',
    ['fields'],
    validate,
    'const others = additional && compileValidator(additional);',
    'const others = additional && compileValidator({ ...additional, required: [] });',
  ),
];
