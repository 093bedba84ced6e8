import { slip } from '../fault.ts';

/** What of custom objects is kept, what counts as a change of them, and where they are found. */
export default [
  slip(
    'what a custom type keeps of the items of a list is pruned',
    ['fields', 'component'],
    'custom-resources/prune.ts',
    'const item = items ? pruner(items, false)',
    "const item = items ? pruner({ ...items, 'x-kubernetes-preserve-unknown-fields': false }, false)",
  ),
  slip(
    'what a custom type keeps of the values of a map is pruned',
    ['fields', 'component'],
    'custom-resources/prune.ts',
    'pruner(additionalOf(schema) ?? {}, false)',
    "pruner({ ...additionalOf(schema), 'x-kubernetes-preserve-unknown-fields': false }, false)",
  ),
  slip(
    'a status that is not written apart is no new generation of a custom object',
    ['meta', 'component'],
    'custom-resources/custom-rules.ts',
    "name === 'metadata' || (splitsStatus && name === 'status')",
    "name === 'metadata' || name === 'status'",
  ),
  slip(
    'custom objects without a namespace are reached by the path of any',
    ['paths'],
    'request/route.ts',
    'if (!resource.namespaced || isItem(info)) throw noSuchPath();',
    'if (resource.custom && !resource.namespaced) return;\n  if (!resource.namespaced || isItem(info)) throw noSuchPath();',
  ),
  slip(
    'a list of custom objects may have fewer items than it must',
    ['component', 'versioning', 'kinds'],
    'custom-resources/validation/validate.ts',
    'minItems !== undefined && value.length < minItems',
    'minItems !== undefined && value.length < minItems && value.length > minItems',
  ),
  slip(
    'a list of custom objects may have more items than it may',
    ['component', 'versioning', 'kinds'],
    'custom-resources/validation/validate.ts',
    'maxItems !== undefined && value.length > maxItems',
    'maxItems === -1 && value.length > maxItems',
  ),
  slip(
    'a maximum of custom objects that is excluded is allowed',
    ['component', 'versioning', 'kinds'],
    'custom-resources/validation/validate-scalars.ts',
    'exclusiveMaximum ? value >= maximum',
    'exclusiveMaximum ? value > maximum',
  ),
  slip(
    'the length that a text of custom objects must have is counted in code units',
    ['component', 'versioning', 'kinds'],
    'custom-resources/validation/validate-scalars.ts',
    'longerThan(value, minLength - 1)) return true',
    'value.length >= minLength) return true',
  ),
];
