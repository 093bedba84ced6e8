import { type Fault, slip } from './fault.ts';

export const definingSlips: readonly Fault[] = [
  slip(
    'the length of a text in custom objects is counted in bytes',
    ['component', 'service'],
    'custom-resources/validate-scalars.ts',
    '  if (text.length <= limit) return false;',
    '  if (Buffer.byteLength(text) > limit) return true;\n  if (text.length <= limit) return false;',
  ),
  slip(
    'null takes the default even where it is allowed',
    ['component', 'service'],
    'custom-resources/default.ts',
    '  if (rule.nullable) return null;',
    '',
  ),
  slip(
    'what a rule of a custom type says of the change is not judged',
    ['component', 'service'],
    'custom-resources/expression-rules.ts',
    'if (rule.transition && !old) continue;',
    'if (rule.transition) continue;',
  ),
  slip(
    'a set in custom objects may hold a value twice',
    ['apply'],
    'custom-resources/validate-extensions.ts',
    "if (schema['x-kubernetes-list-type'] === 'set') return hasNothingTwice((item) => item);",
    '',
  ),
  slip(
    'limits of numbers in custom objects leave the limit itself out',
    ['component', 'service'],
    'custom-resources/validate-scalars.ts',
    'exclusiveMinimum ? value <= minimum : value < minimum',
    'value <= minimum',
  ),
  slip(
    'enums of custom objects hold for texts alone',
    ['component', 'service'],
    'custom-resources/validate-scalars.ts',
    "if (!(onlyScalars && typeof value === 'object') && allowed.has(canonicalJson(value))) return;",
    "if (typeof value !== 'string' || allowed.has(canonicalJson(value))) return;",
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
  slip(
    'custom objects are converted but keep the fields of the other version',
    ['versioning', 'component'],
    'custom-resources/custom-resource.ts',
    'known : then(parts.convert(known, apiVersion), parts.compiled(name).prune);',
    'known : parts.convert(known, apiVersion);',
  ),
];
