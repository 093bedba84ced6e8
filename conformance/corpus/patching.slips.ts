import { type Fault, slip } from './fault.ts';

const json = 'patch/json-patch.ts';

export const patchingSlips: readonly Fault[] = [
  slip(
    'null inside a new object of a merge patch is stored',
    ['verbs', 'params', 'meta'],
    'patch/merge-patch.ts',
    'putMember(result, key, mergePatch(undefined, patch[key] as Json));',
    'putMember(result, key, cloneJson(patch[key] as Json));',
  ),
  slip(
    'pointers of a JSON patch are not unescaped',
    ['verbs', 'params'],
    json,
    "(escaped === '~1' ? '/' : '~')",
    'escaped',
  ),
  slip(
    'test in a JSON patch always holds',
    ['verbs', 'params'],
    json,
    "else if (op === 'test') this.#test(path, value);",
    "else if (op === 'test') return;",
  ),
  slip(
    'add in a list of a JSON patch replaces',
    ['verbs', 'params'],
    json,
    'container.splice(position, 0, value);',
    'container.splice(position, 1, value);',
  ),
  slip(
    '- in a JSON patch is the beginning',
    ['verbs', 'params'],
    json,
    "segment === '-' ? length :",
    "segment === '-' ? 0 :",
  ),
  slip(
    'a JSON patch is given up half-way and the rest stays',
    ['verbs', 'params'],
    json,
    '    patching.apply(operation);',
    '    try {\n      patching.apply(operation);\n    } catch {\n      break;\n    }',
  ),
  slip(
    'apply never takes away what is left out',
    ['apply'],
    'patch/apply/apply.ts',
    'if (last && (leftOut || last.apiVersion !== apiVersion))',
    'if (last && last.apiVersion !== apiVersion)',
  ),
  slip(
    'an apply that changes nothing is stored anew',
    ['apply', 'rv'],
    'patch/apply/apply.ts',
    'const unchanged = live && isEmptySet(own.set) && isEmptySet(own.removed) && saysTheSame(live, object);',
    'const unchanged = false;',
  ),
  slip(
    'apply takes another apiVersion in its body',
    ['apply'],
    'patch/apply/apply.ts',
    "if (config['apiVersion'] !== apiVersion) {",
    'if (false) {',
  ),
  slip(
    'fields of custom objects that nobody described are kept',
    ['fields', 'verbs'],
    'custom-resources/prune.ts',
    'if (!prune) delete own()[key];',
    'if (!prune) continue;',
  ),
  slip(
    'unknown fields in lists of custom objects are kept',
    ['fields'],
    'custom-resources/prune.ts',
    'if (Array.isArray(value)) return item ? mapItems(value, item) : value;',
    'if (Array.isArray(value)) return value;',
  ),
  slip(
    'defaults of custom types fill only what is at the top',
    ['fields', 'verbs'],
    'custom-resources/default.ts',
    '  return rule.inside ? rule.inside(copy) : copy;',
    '  return copy;',
  ),
  slip(
    'defaults of custom types are not filled in lists',
    ['fields'],
    'custom-resources/default.ts',
    'if (Array.isArray(value)) return item ? mapItems(value, item) : value;',
    'if (Array.isArray(value)) return value;',
  ),
];
