import { changeAnswer, requestHeader } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';

/** The published description of the API. */
export default [
  fault(
    'custom types are left out of the schema that is published',
    ['service'],
    changeAnswer(
      '',
      (body) => ({
        ...body,
        definitions: Object.fromEntries(
          Object.entries(body?.definitions ?? {}).filter(([name]) => !name.startsWith('example.touchstone.')),
        ),
      }),
      { path: /^\/openapi\/v2$/ },
    ),
  ),
  fault(
    'a description of the API is sent anew to who has it',
    ['paths', 'versioning', 'content'],
    requestHeader('if-none-match', undefined, { path: /^\/openapi/ }),
  ),
  slip(
    'OpenAPI refers to nothing where it speaks of custom types',
    ['versioning', 'paths'],
    'request/openapi/definition-names.ts',
    'const name = common[kind] ?? definitionOfKind(group, version, kind) ?? customDefinitionName(group, version, kind);',
    'const name = (common[kind] ?? definitionOfKind(group, version, kind));',
  ),
  slip(
    'OpenAPI 2 does not tell what an operation takes',
    ['versioning', 'paths'],
    'request/openapi/document.ts',
    "    consumes: operation.consumes ?? ['*/*'],\n",
    '',
  ),
  slip(
    'OpenAPI does not say what 401 means',
    ['versioning'],
    'request/openapi/document.ts',
    "  '401': 'Unauthorized',\n",
    '',
  ),
  slip(
    'OpenAPI of custom types tells of no parameters but the namespace',
    ['versioning', 'paths'],
    'request/openapi/operations.ts',
    'parameters: [...parameters, ...place]',
    'parameters: [...place]',
  ),
  slip(
    'custom types are not described in version 3 of OpenAPI',
    ['service', 'component', 'content'],
    'request/openapi/version-3.ts',
    '{ ...definitionsOfVersion3(), ...definitionsOf(custom.get(documentPath)) }',
    '{ ...definitionsOfVersion3(), ...definitionsOf(custom.get(documentPath)?.slice(0, 0)) }',
  ),
  slip(
    'OpenAPI does not name the header of tokens',
    ['versioning'],
    'request/openapi/version-3.ts',
    "type: 'apiKey', name: 'authorization', in: 'header'",
    "type: 'apiKey', in: 'header'",
  ),
  slip(
    'the published schema of a type that keeps all names its fields',
    ['versioning', 'service'],
    'custom-resources/openapi.ts',
    "if (dialect.strict && keepsAll(schema)) return { type: 'object' };",
    '',
  ),
  slip(
    'OpenAPI describes custom types as they were when first asked',
    ['service', 'content', 'versioning', 'paths'],
    'request/openapi/per-generation.ts',
    'known?.generation !== resources.generation',
    'known === undefined',
  ),
  slip(
    'an old address of a part of OpenAPI leads to what is there now',
    ['service', 'versioning'],
    'request/openapi/answers.ts',
    '  if (hash && hash !== document.hash) return movedTo(addressOf(documentPath, document.hash));\n',
    '',
  ),
  slip(
    'the hash of a part of OpenAPI is that of how it begins',
    ['service', 'versioning'],
    'request/openapi/answers.ts',
    "return { bytes, hash: createHash('sha256').update(bytes)",
    "return { bytes, hash: createHash('sha256').update(bytes.subarray(0, 300))",
  ),
  slip(
    'OpenAPI 2 demands fields that may be null',
    ['service'],
    'custom-resources/openapi.ts',
    '  if (dialect.strict) withoutNullable(spelt, schema);\n  else if',
    "  if (dialect.strict) delete spelt['x'];\n  else if",
  ),
  slip(
    'OpenAPI 3 does not say that a value may be a number or a text',
    ['service'],
    'custom-resources/openapi.ts',
    "spelt['anyOf'] = eitherType;",
    "spelt['anyOf'] ??= undefined;",
  ),
  slip(
    'the schema does not tell the kind that is patched',
    ['versioning'],
    'request/openapi/document.ts',
    "...(gvk && { 'x-kubernetes-group-version-kind': gvk }),",
    "...(gvk && action !== 'patch' && { 'x-kubernetes-group-version-kind': gvk }),",
  ),
  slip(
    'OpenAPI 2 does not tell which fields of a custom type have to be there',
    ['service'],
    'custom-resources/openapi.ts',
    '!(Object.hasOwn(properties, name) && properties[name]?.nullable)',
    '!Object.hasOwn(properties, name)',
  ),
  slip(
    'OpenAPI does not tell that custom objects can be deleted together',
    ['service'],
    'request/openapi/operations.ts',
    "      delete: make('deletecollection', [...new Set([...selectParameters, ...deleteParameters])], ['200', '401']),\n",
    '',
  ),
  slip(
    'a group whose types are gone stays in the index of OpenAPI',
    ['service'],
    'request/openapi/answers.ts',
    'const paths: Record<string, object> = {};',
    "const paths = ((globalThis as never as Record<string, Record<string, object>>)['told'] ??= {});",
  ),
  slip(
    'the address of a part of OpenAPI is another with each look',
    ['service'],
    'request/openapi/answers.ts',
    'paths[path] = { serverRelativeURL: addressOf(path, hash) };',
    'paths[path] = { serverRelativeURL: addressOf(path, `${hash}${process.hrtime.bigint()}`) };',
  ),
];
