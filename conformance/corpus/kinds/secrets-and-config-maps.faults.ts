import { removeIn } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';

const secret = 'kinds/core/secret.ts';
const configMap = 'kinds/core/config-map.ts';

/** Secrets and ConfigMaps: their types, their data, and being immutable. */
export default [
  fault('the type of a Secret is lost', 'verbs', removeIn('type', { method: 'GET', path: /\/secrets\/[^/]+$/ })),
  slip(
    'texts of a Secret take the place of all its data',
    ['kinds', 'component'],
    secret,
    'object.data = { ...object.data, ...Object.fromEntries(texts) };',
    'object.data = Object.fromEntries(texts);',
  ),
  slip(
    'a Secret for TLS needs no key',
    ['kinds', 'component'],
    secret,
    "needsKeys('tls.crt', 'tls.key')",
    "needsKeys('tls.crt')",
  ),
  slip('a Secret keeps its stringData', ['kinds', 'content', 'verbs'], secret, '    delete object.stringData;\n', ''),
  slip(
    'the type of a Secret may change',
    ['kinds', 'verbs'],
    secret,
    "    ...immutable(next.type, previous.type, FieldPath.of('type')),\n",
    '',
  ),
  slip(
    'what is binary in an immutable ConfigMap may change',
    ['kinds', 'component'],
    configMap,
    "frozen(next, previous, ['data', 'binaryData'], context)",
    "frozen(next, previous, ['data'], context)",
  ),
  slip(
    'a key may stand in both maps of a ConfigMap',
    ['kinds', 'component'],
    configMap,
    'const twice = Object.hasOwn(data, key);',
    'const twice = Object.hasOwn(data, key) && data[key] === binaryData[key];',
  ),
  slip(
    'what is immutable may change',
    ['kinds', 'verbs'],
    configMap,
    'if (previous.immutable !== true) return [];',
    'return [];',
  ),
  slip(
    'what is immutable loses its immutability',
    ['verbs', 'kinds'],
    configMap,
    "...(next.immutable === true ? [] : [forbiddenField('immutable', why)]),",
    '',
  ),
  slip(
    'what is binary in a ConfigMap may have any key',
    ['kinds', 'verbs', 'component'],
    'kinds/core/config-map.ts',
    "  if (binaryData) append(errors, dataKeys(binaryData, 'binaryData'));\n",
    '',
  ),
  slip(
    'a text of a Secret does not win over bytes that stand under its key',
    ['component', 'verbs'],
    'kinds/core/secret.ts',
    'object.data = { ...object.data, ...Object.fromEntries(texts) };',
    'object.data = { ...Object.fromEntries(texts), ...object.data };',
  ),
  slip(
    'an update of an account keeps more of its secrets than their names',
    ['component', 'verbs'],
    'kinds/core/service-account.ts',
    'prepareUpdate: keepNamesOfSecrets,',
    '',
  ),
  slip(
    'what is immutable cannot be labelled',
    ['kinds', 'meta'],
    'kinds/core/config-map.ts',
    '  if (previous.immutable !== true) return [];',
    "  if (previous.immutable !== true) return [];\n  if (!sameValue(next.metadata.labels, previous.metadata.labels)) return [forbiddenField('metadata.labels', 'field is immutable')];",
  ),
  slip(
    'what is immutable may get what it had none of',
    ['component'],
    configMap,
    '.filter((field) => emptied.has(field) || !sameValue',
    '.filter((field) => emptied.has(field) || previous[field] !== undefined && !sameValue',
  ),
  slip(
    'what is immutable may lose some of what it holds',
    ['component'],
    configMap,
    '!sameValue(next[field] ?? {}, previous[field] ?? {})',
    'Object.entries(next[field] ?? {}).some(([key, value]) => (previous[field] as Record<string, unknown> | undefined)?.[key] !== value)',
  ),
  slip(
    'what is binary in a ConfigMap does not count for its size',
    ['component'],
    'kinds/core/config-map.ts',
    "size += decodedLength(binaryData[key] ?? '');",
    '',
  ),
  slip(
    'an immutable Secret with an empty value takes no label',
    ['component'],
    'registry/steps/validate.ts',
    "const changed = emptiesBytes ? withoutBytes(resource.served, next, ' ') : next;",
    "const changed = withoutBytes(resource.served, next, ' ');",
  ),
];
