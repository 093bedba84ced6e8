import { slip } from '../fault.ts';

/** CustomResourceDefinitions: what they may say, and what happens when they change or go. */
export default [
  slip(
    'a definition that has short names keeps them',
    ['service', 'component', 'paths'],
    'custom-resources/establish.ts',
    'else if (shortNames.length > 0) names.shortNames = shortNames;',
    'else if (shortNames.length > 0) names.shortNames ??= shortNames;',
  ),
  slip(
    'two custom types may have one short name',
    ['kinds', 'versioning'],
    'custom-resources/establish.ts',
    "if (used !== undefined) refuse('ShortNames', used);",
    "if (used === '') refuse('ShortNames', used);",
  ),
  slip(
    'a definition that changes serves what it served',
    ['fields', 'service', 'component'],
    'custom-resources/life-cycle.ts',
    'deepEqual(one.spec, other.spec) &&',
    'one.spec.group === other.spec.group &&',
  ),
  slip(
    'custom objects outlive their definition and come back with the next',
    ['service', 'component', 'kinds', 'deletion'],
    'custom-resources/cleanup.ts',
    '  if ((await store.count(prefix)) > 0) {\n    await tellProgress(options);\n    await deleteAll(options, prefix);\n  }\n  if ((await store.count(prefix)) === 0) await release(options);',
    '  await release(options);',
  ),
  slip(
    'the scope of a custom type may change',
    ['component', 'paths'],
    'custom-resources/definition.ts',
    "    ['spec.scope', next.spec.scope, previous.spec.scope, false],\n",
    '',
  ),
  slip(
    'a definition may have another name than its type',
    ['component', 'names'],
    'custom-resources/definition.ts',
    '...validateOwnName(definition), ',
    '',
  ),
  slip(
    'an approval of a protected group may be anywhere',
    ['component'],
    'custom-resources/definition-names.ts',
    "URL.canParse(text) && new URL(text).host !== ''",
    '(URL.canParse(text))',
  ),
  slip(
    'categories that a definition is given later are not told',
    ['service'],
    'custom-resources/establish.ts',
    'if (asked.categories?.length) names.categories = asked.categories;',
    'if (before.kind) names.kind = before.kind;\n  else if (asked.categories?.length) names.categories = asked.categories;',
  ),
  slip(
    'a custom type may have its number of replicas anywhere',
    ['component'],
    'custom-resources/scale.ts',
    'return roots.some((root) => given.startsWith(root))',
    'return roots.length > 0',
  ),
  slip(
    'custom objects are made while their definition is going',
    ['deletion', 'verbs'],
    'registry/write.ts',
    "if (intent.creates === 'always' && resource.custom?.terminating) throw terminating(resource);",
    '',
  ),
  slip(
    'the kind of an established definition may change',
    ['component'],
    'custom-resources/definition.ts',
    "['spec.names.kind', next.spec.names.kind, previous.spec.names.kind, false],",
    '',
  ),
];
