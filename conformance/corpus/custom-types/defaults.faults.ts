import { sabotage } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { custom } from '../matches.ts';
import { jsonOf } from '../meddling.ts';

const defaulting = 'custom-resources/default.ts';

/** Of a new custom object it is told what was sent. */
const echoesSpec = sabotage('answers what was sent', () => ({
  answer: (answer, request) => {
    const sent = jsonOf(request.body);
    const body = jsonOf(answer.body);
    if (request.method !== 'POST' || !custom.test(request.path) || answer.status !== 201 || !sent?.spec) return answer;
    return { ...answer, body: Buffer.from(JSON.stringify({ ...body, spec: sent.spec })) };
  },
}));

/** Defaults of custom types: where they are filled in, and when null stands in their place. */
export default [
  fault('a new custom object is answered without its defaults', ['responses', 'fields', 'kinds'], echoesSpec),
  slip(
    'null in a custom object takes the place of a default',
    ['kinds'],
    defaulting,
    'if (rule.value !== undefined) return fresh(rule.value, rule);',
    '',
  ),
  slip(
    'null takes the default even where it is allowed',
    ['component', 'service'],
    defaulting,
    '  if (rule.nullable) return null;',
    '',
  ),
  slip(
    'defaults of custom types are not filled in maps',
    ['component', 'dryrun', 'apply'],
    defaulting,
    'const others = additional && member(additional);',
    'const others = additional && ({ ...member(additional), inside: undefined } as Member);',
  ),
  slip(
    'defaults of custom types fill only what is at the top',
    ['fields', 'verbs'],
    defaulting,
    '  return rule.inside ? rule.inside(copy) : copy;',
    '  return copy;',
  ),
  slip(
    'defaults of custom types are not filled in lists',
    ['fields'],
    defaulting,
    'if (Array.isArray(value)) return item ? mapItems(value, item) : value;',
    'if (Array.isArray(value)) return value;',
  ),
  slip(
    'custom objects that were stored before there was a default lack it',
    ['kinds', 'get'],
    'custom-resources/custom-resource.ts',
    'const known = fill(prune(object));',
    'const known = prune(object);',
  ),
  slip(
    'a default is asked to be of the type where either may stand',
    ['component'],
    'custom-resources/schemas/defaults.ts',
    'ofAnyType(schema)',
    'schema',
  ),
  slip(
    'a stored custom object does not get the defaults that its type got later',
    ['versioning', 'component', 'fields'],
    'custom-resources/custom-resource.ts',
    'const known = fill(prune(object));',
    'const known = fill === undefined ? object : prune(object);',
  ),
  slip(
    'a default of a custom type that is nothing is none',
    ['component'],
    'custom-resources/default.ts',
    'value: schema.default ?? undefined,',
    'value: schema.default || undefined,',
  ),
  slip(
    'custom objects are listed as they were stored',
    ['component', 'lists'],
    'registry/list.ts',
    'page.items.map((stored) => shown(resource, stored))',
    'page.items.map((stored) =>\n      stored.value.apiVersion === resource.served.apiVersion ? stored : view(resource, stored))',
  ),
  slip(
    'values of maps in custom objects get no defaults',
    ['component'],
    'custom-resources/default.ts',
    'const rule = members.get(key) ?? others;',
    'const rule = members.get(key);',
  ),
  slip(
    'a default of custom objects takes the place of what is false',
    ['component', 'versioning'],
    'custom-resources/default.ts',
    'if (value !== null) return rule.inside',
    'if (value === false && rule.value !== undefined) return rule.value;\n  if (value !== null) return rule.inside',
  ),
];
