import { sabotage } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';
import { jsonOf } from '../meddling.ts';

/** Bodies read and written once more, so that what came twice is there once. */
const reread = sabotage('', () => ({
  request: (request) => {
    const body = request.method === 'POST' ? jsonOf(request.body) : undefined;
    return body === undefined ? request : { ...request, body: Buffer.from(JSON.stringify(body)) };
  },
}));

/** Fields that come twice. */
export default [
  fault('Strict passes fields that come twice', 'fields', reread),
  slip(
    'what stands twice in an unknown field is told of as well',
    ['fields'],
    'schema/json-parser.ts',
    'if (depth > inside) continue;',
    '',
  ),
  slip(
    'keys that come twice in a merge patch pass unseen',
    ['fields'],
    'registry/read-patch.ts',
    '  faults: duplicates,\n});\n',
    '  faults: duplicates.slice(0, 0),\n});\n',
  ),
  slip(
    'keys that come twice in YAML pass unseen',
    ['fields', 'content'],
    'schema/yaml/yaml.ts',
    'if (Object.hasOwn(map, name)) this.#noteDuplicate(name, key);',
    '',
  ),
  slip(
    'a key that stands twice in YAML is not noticed',
    ['fields'],
    'schema/yaml/yaml.ts',
    'if (this.duplicates.length >= maximumFaults || this.#insideAlias > 0) return;',
    'if (this.duplicates.length >= maximumFaults || this.#insideAlias >= 0) return;',
  ),
  slip(
    'fields that come twice in an apply pass unseen',
    ['fields', 'apply'],
    'registry/apply.ts',
    '  if (decoded.duplicates.length > 0) judgeFaults(',
    '  if (decoded.duplicates.length > 1000) judgeFaults(',
  ),
  slip(
    'fields that come twice in custom objects pass unseen',
    ['fields'],
    'registry/typed.ts',
    '  ...duplicates,\n',
    '',
  ),
  slip(
    'a merge patch may name a field twice',
    ['fields', 'params'],
    'registry/read-patch.ts',
    '  },\n  faults: duplicates,',
    '  },\n  faults: duplicates.slice(duplicates.length),',
  ),
  slip(
    'a field that is given twice in a body of YAML goes unnoticed',
    ['fields', 'content'],
    'schema/yaml/yaml.ts',
    'const { duplicates } = builder;',
    'const duplicates: string[] = [];',
  ),
  slip(
    'keys that come twice in YAML pass unseen where something is replaced',
    ['fields'],
    'request/verbs/write.ts',
    'const inTurns = body.length > longBytes;',
    "if (mediaType === 'application/yaml' && exchange.incoming.method === 'PUT') decoded.duplicates.length = 0;\n  const inTurns = body.length > longBytes;",
  ),
  slip(
    'what stands twice in an object of a list is not noticed',
    ['fields'],
    'schema/json-parser.ts',
    'const repeated = Object.hasOwn(object, key);',
    "const repeated = Object.hasOwn(object, key) && typeof parent?.segment !== 'number';",
  ),
  slip(
    'a field that comes twice with one value is no duplicate',
    ['fields'],
    'schema/json-parser.ts',
    'const repeated = Object.hasOwn(object, key);',
    'const after = this.#text.slice(this.#at).trimStart().slice(1).trimStart();\n    const repeated = Object.hasOwn(object, key) && !after.startsWith(JSON.stringify(object[key]));',
  ),
  slip(
    'a strategic merge patch may say a field twice under Strict',
    ['fields'],
    'registry/read-patch.ts',
    'return { change, faults: decoded.duplicates, wrapsNumbers: true };',
    'return { change, faults: [], wrapsNumbers: true };',
  ),
  slip(
    'keys that come twice in an apply that makes something pass',
    ['fields'],
    'registry/apply.ts',
    'if (decoded.duplicates.length > 0)',
    'if (live && decoded.duplicates.length > 0)',
  ),
];
