import { slip } from '../fault.ts';

const expressionRules = 'custom-resources/expression-rules.ts';

/** Rules of custom types that are expressions, and what expressions may say. */
export default [
  slip(
    'rules of custom types about changes are asked about new objects as well',
    ['kinds'],
    expressionRules,
    'if (rule.transition && !old) continue;',
    'if (rule.transition && !old && pass.found.full) continue;',
  ),
  slip(
    'what a rule of a custom type says of the change is not judged',
    ['component', 'service'],
    expressionRules,
    'if (rule.transition && !old) continue;',
    'if (rule.transition) continue;',
  ),
  slip(
    'rules of custom types are judged for the first of a list',
    ['component', 'fields'],
    expressionRules,
    'for (let i = 0; i < list.length && !pass.found.full; i++) {\n      const item',
    'for (let i = 0; i < Math.min(1, list.length) && !pass.found.full; i++) {\n      const item',
  ),
  slip(
    'rules of custom types about changes compare the items of a list by their place',
    ['kinds'],
    expressionRules,
    'walk(item, keys && partners?.get(keyOf(item, keys)), path.index(i), pass);',
    'walk(item, Array.isArray(previous) ? (previous[i] as Json | undefined) : undefined, path.index(i), pass);',
  ),
  slip(
    'a rule of a custom type that is broken is told by its expression, whatever its message is',
    ['kinds'],
    expressionRules,
    'message: message?.trim() || `failed rule: ${rule}`,',
    'message: message?.trim() ? `failed rule: ${rule}` : `failed rule: ${rule}`,',
  ),
  slip(
    'items of a keyed list are compared by their place',
    ['component', 'service', 'fields'],
    expressionRules,
    'walk(item, keys && partners?.get(keyOf(item, keys)), path.index(i), pass);',
    'walk(item, keys && partners && (previous as readonly Json[])[i], path.index(i), pass);',
  ),
  slip(
    'rules for members of custom objects are asked about lists alone',
    ['component'],
    expressionRules,
    'Array.isArray(value)',
    'true',
  ),
  slip(
    'a rule of several lines needs no message',
    ['component'],
    'custom-resources/schema-keywords.ts',
    "if (!message && /[\\r\\n]/.test(rule.trim()))\n    return [required(own, 'message must be specified if rule contains line breaks')];",
    '',
  ),
  slip(
    'an operator of an expression may stand between anything',
    ['component'],
    'cel/check.ts',
    'this.#demandAssignable(this.typeOf(part as Expression, scope), type, complaint);',
    '',
  ),
  slip('a time in a rule is a text', ['component'], 'cel/from-json.ts', "'date-time': 'timestamp',\n  ", ''),
  slip('an expression may be nested as deep as one likes', ['component'], 'cel/expression.ts', 'depth++;', ''),
  slip(
    'rules of custom types about changes do not see what a value of a map was',
    ['component'],
    'custom-resources/expression-rules.ts',
    'walk?.(memberOf(object, key) as Json, before && memberOf(before, key), at, pass);',
    'walk?.(memberOf(object, key) as Json, named.has(key) ? before && memberOf(before, key) : undefined, at, pass);',
  ),
  slip(
    'rules of a custom type are not asked about its status',
    ['component'],
    'custom-resources/validation.ts',
    'return [...errors, ...rules(value, previous as unknown as Json | undefined)];',
    'return throughStatus ? errors : [...errors, ...rules(value, previous as unknown as Json | undefined)];',
  ),
];
