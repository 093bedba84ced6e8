import { slip, slips } from '../fault.ts';

const prune = 'custom-resources/prune.ts';

/** What custom objects lose because no schema describes it, and what they keep. */
export default [
  slips(
    'unknown fields within maps of custom objects are kept',
    ['fields'],
    [
      {
        file: 'schema/check.ts',
        from: '#pruneMap(value: Members, values: Structure, depth: number): Members {\n',
        to: '#pruneMap(value: Members, values: Structure, depth: number): Members {\n    if (depth >= 0) return value;\n',
      },
      {
        file: prune,
        from: 'schema.additionalProperties === undefined ? undefined : pruner(additionalOf(schema) ?? {}, false);',
        to: 'schema.additionalProperties === undefined ? undefined : keepAll;',
      },
    ],
  ),
  slips(
    'the status of a custom object keeps what nobody described',
    ['fields'],
    [
      {
        file: 'custom-resources/structure.ts',
        from: 'fields.set(name, { type: typeOf(property, metadata), ...defaultOf(property) });',
        to: "fields.set(name, { type: root && name === 'status' ? untyped : typeOf(property, metadata), ...defaultOf(property) });",
      },
      {
        file: prune,
        from: "const envelope: readonly string[] = ['apiVersion', 'kind', 'metadata'];",
        to: "const envelope: readonly string[] = ['apiVersion', 'kind', 'metadata', 'status'];",
      },
    ],
  ),
  slips(
    'what is to be kept of a custom object is kept at the top alone',
    ['fields'],
    [
      {
        file: 'custom-resources/structure.ts',
        from: "preserveUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true ||",
        to: "preserveUnknown: (root && schema['x-kubernetes-preserve-unknown-fields'] === true) ||",
      },
      {
        file: prune,
        from: "const preserve = schema['x-kubernetes-preserve-unknown-fields'] === true;",
        to: "const preserve = resource && schema['x-kubernetes-preserve-unknown-fields'] === true;",
      },
    ],
  ),
  slip(
    'what a custom type keeps beside the fields it knows is pruned',
    ['component', 'fields', 'service', 'kinds'],
    prune,
    'return preserve || kept.includes(key) ? keepAll : undefined;',
    'return (preserve && members.size === 0) || kept.includes(key) ? keepAll : undefined;',
  ),
  slip(
    'fields of custom objects that nobody described are kept',
    ['fields', 'verbs'],
    prune,
    'if (!prune) delete own()[key];',
    'if (!prune) continue;',
  ),
  slip(
    'unknown fields in lists of custom objects are kept',
    ['fields'],
    prune,
    'if (Array.isArray(value)) return item ? mapItems(value, item) : value;',
    'if (Array.isArray(value)) return value;',
  ),
  slip(
    'what is embedded in custom objects loses its kind',
    ['component', 'service', 'fields'],
    prune,
    "const kept = resource || schema['x-kubernetes-embedded-resource'] === true ? envelope : [];",
    'const kept = resource ? envelope : [];',
  ),
  slip(
    'nothing is pruned from the members of custom objects',
    ['fields'],
    prune,
    'for (const key of Object.keys(value)) {\n    const before = memberOf(value, key) as Json;\n    const prune = prunerOf(key);\n    if (!prune) delete own()[key];\n    else {\n      const after = prune(before);\n      if (after !== before) putMember(own(), key, after);\n    }\n  }',
    '',
  ),
  slip(
    'a map of custom objects loses every key that its schema does not name',
    ['fields', 'versioning'],
    prune,
    'members.get(key) ?? additional',
    '(members.get(key))',
  ),
  slips(
    'below what keeps unknown fields nothing is pruned',
    ['fields'],
    [
      {
        file: 'custom-resources/prune.ts',
        from: '    if (!kept.includes(name)) members.set(name, pruner(property, false));',
        to: '    if (!kept.includes(name) && !preserve) members.set(name, pruner(property, false));',
      },
      {
        file: 'custom-resources/structure.ts',
        from: 'of Object.entries(schema.properties ?? {})) {',
        to: "of Object.entries(schema['x-kubernetes-preserve-unknown-fields'] ? {} : (schema.properties ?? {}))) {",
      },
    ],
  ),
  slips(
    'values of maps below what keeps unknown fields are not pruned',
    ['fields'],
    [
      {
        file: 'custom-resources/prune.ts',
        from: 'const additional = schema.additionalProperties === undefined ?',
        to: 'const additional = schema.additionalProperties === undefined || preserve ?',
      },
      {
        file: 'custom-resources/structure.ts',
        from: 'if (schema.additionalProperties === undefined || schema.properties) return',
        to: "if (schema.additionalProperties === undefined || schema.properties || schema['x-kubernetes-preserve-unknown-fields']) return",
      },
    ],
  ),
  slips(
    'a custom object keeps unknown fields that stand inside of a list',
    ['fields'],
    [
      {
        file: 'schema/check.ts',
        from: "if (items.type === 'any' && !items.unknownInside) return value;",
        to: "if (items.type === 'struct' || (items.type === 'any' && !items.unknownInside)) return value;",
      },
      {
        file: prune,
        from: 'if (Array.isArray(value)) return item ? mapItems(value, item) : value;',
        to: 'if (Array.isArray(value)) return value;',
      },
    ],
  ),
  slip(
    'a custom object keeps unknown fields only where its whole schema says so',
    ['fields'],
    'custom-resources/prune.ts',
    "const preserve = schema['x-kubernetes-preserve-unknown-fields'] === true;",
    "const preserve = resource && schema['x-kubernetes-preserve-unknown-fields'] === true;",
  ),
  slip(
    'a field that a type has no more is shown in older objects',
    ['component'],
    'custom-resources/custom-resource.ts',
    'const known = fill(prune(object));',
    'const known = fill(object);',
  ),
];
