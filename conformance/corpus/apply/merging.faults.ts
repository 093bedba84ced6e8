import { requestHeader } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';

const typedValue = 'patch/apply/typed-value.ts';

/** How what is applied is put together with what is there: maps, sets, keyed and atomic lists. */
export default [
  fault(
    'applied finalizers replace those of others',
    'apply',
    requestHeader('content-type', 'application/merge-patch+json', {
      method: 'PATCH',
      header: { 'content-type': /apply/ },
      body: /finalizers/,
    }),
  ),
  slip(
    'maps that are to be replaced are merged by apply',
    ['apply'],
    typedValue,
    "    default:\n      return structure.atomic ? 'leaf' : 'map';",
    "    default:\n      return 'map';",
  ),
  slip(
    'an element whose key is empty by default has no key',
    ['apply'],
    typedValue,
    "return field?.default ?? (field?.empty === 'written' ? zeroOf(field) : undefined);",
    'return (field?.default);',
  ),
  slip('a number of 64 bits has no zero', ['apply', 'meta'], typedValue, '  int64: 0,\n', ''),
  slip(
    'lists that are to be replaced are appended to by apply',
    ['apply'],
    'patch/apply/merge.ts',
    '  return cloneJson(config);\n}\n\n',
    '  if (Array.isArray(live) && Array.isArray(config)) return cloneJson([...live, ...config.filter((each) => !live.some((other) => JSON.stringify(other) === JSON.stringify(each)))]);\n  return cloneJson(config);\n}\n\n',
  ),
  slip(
    'what is applied is not merged into what is there',
    ['apply'],
    'patch/apply/merge.ts',
    'if (!Object.hasOwn(live, name)) putMember(merged, name, cloneJson(config[name] as Json));',
    'if (!Object.hasOwn(live, name)) putMember(merged, name, cloneJson(live[name] as Json));',
  ),
  slip(
    'lists of custom types are merged by keys only where they have none',
    ['apply', 'component'],
    'custom-resources/structure.ts',
    ": listType === 'map' ?",
    ": !(listType === 'map') ?",
  ),
  slip(
    'a keyed list of custom objects is applied by its first key',
    ['apply'],
    'patch/apply/typed-value.ts',
    'if (others.length === 0) return',
    "if (others.length === 0 || !list.keys.includes('protocol')) return",
  ),
  slip(
    'an apply to an element of a list with keys replaces the whole element',
    ['apply'],
    'patch/apply/merge.ts',
    'merged.push(known === undefined ? cloneJson(item) : merge(known, item, structure.items));',
    'merged.push(cloneJson(item));',
  ),
  slip(
    'a map of a custom object that is to be replaced as a whole is merged',
    ['apply'],
    'custom-resources/structure.ts',
    "const atomic = schema['x-kubernetes-map-type'] === 'atomic';",
    "const atomic = schema['x-kubernetes-map-type'] === 'atomic' && values === undefined;",
  ),
  slip(
    'an apply that says null for a map takes away what others have in it',
    ['apply'],
    'patch/apply/merge.ts',
    'if (config === null && Object.keys(live).length > 0) return cloneJson(live);',
    '',
  ),
  slip(
    'an apply puts what it adds to a list in front of what others have behind it',
    ['apply'],
    'patch/apply/merge.ts',
    'takeLive(undefined);\n  takeApplied(waiting);',
    'takeApplied(waiting);\n  takeLive(undefined);',
  ),
  slip(
    'ports of a Service are applied by their number alone',
    ['apply'],
    'patch/apply/typed-value.ts',
    'if (others.length === 0) return',
    "if (others.length === 0 || (list.keys.includes('protocol') && !list.keys.includes('containerPort'))) return",
  ),
  slip(
    'lists within the items of a list of custom objects are atomic',
    ['apply'],
    'custom-resources/structure.ts',
    '    items: items ? typeOf(items, metadata) : untyped,',
    "    items: items ? ((t) => (t.type === 'struct' ? { ...t, fields: new Map([...t.fields].map(([n, f]) => [n, f.type.type === 'list' ? { ...f, type: { ...f.type, listType: 'atomic', keys: [] } } : f])) } : t))(typeOf(items, metadata)) : untyped,",
  ),
  slip(
    'what others have in a list comes behind what is applied to it',
    ['apply'],
    'patch/apply/merge.ts',
    '    takeLive(element);\n',
    '',
  ),
  slip(
    'an apply that says null for a set takes away what others have in it',
    ['apply'],
    'patch/apply/merge.ts',
    'if (config === null && live.length > 0) return cloneJson(live);',
    'if (config === null && live.length > 0) return [];',
  ),
];
