import { type Fault, slip } from './fault.ts';

export const extendingSlips: readonly Fault[] = [
  {
    name: 'unknown fields within maps of custom objects are kept',
    chapters: ['fields'],
    edits: [
      {
        file: 'schema/check.ts',
        from: '#pruneMap(value: Members, values: Structure, depth: number): Members {\n',
        to: '#pruneMap(value: Members, values: Structure, depth: number): Members {\n    if (depth >= 0) return value;\n',
      },
      {
        file: 'custom-resources/prune.ts',
        from: 'schema.additionalProperties === undefined ? undefined : pruner(additionalOf(schema) ?? {}, false);',
        to: 'schema.additionalProperties === undefined ? undefined : keepAll;',
      },
    ],
  },
  {
    name: 'the status of a custom object keeps what nobody described',
    chapters: ['fields'],
    edits: [
      {
        file: 'custom-resources/structure.ts',
        from: 'fields.set(name, { type: typeOf(property, metadata), ...defaultOf(property) });',
        to: "fields.set(name, { type: root && name === 'status' ? untyped : typeOf(property, metadata), ...defaultOf(property) });",
      },
      {
        file: 'custom-resources/prune.ts',
        from: "const envelope: readonly string[] = ['apiVersion', 'kind', 'metadata'];",
        to: "const envelope: readonly string[] = ['apiVersion', 'kind', 'metadata', 'status'];",
      },
    ],
  },
  {
    name: 'what is to be kept of a custom object is kept at the top alone',
    chapters: ['fields'],
    edits: [
      {
        file: 'custom-resources/structure.ts',
        from: "preserveUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true ||",
        to: "preserveUnknown: (root && schema['x-kubernetes-preserve-unknown-fields'] === true) ||",
      },
      {
        file: 'custom-resources/prune.ts',
        from: "const preserve = schema['x-kubernetes-preserve-unknown-fields'] === true;",
        to: "const preserve = resource && schema['x-kubernetes-preserve-unknown-fields'] === true;",
      },
    ],
  },
  slip(
    'defaults of custom types are not filled in maps',
    ['component', 'dryrun', 'apply'],
    'custom-resources/default.ts',
    'const others = additional && member(additional);',
    'const others = additional && ({ ...member(additional), inside: undefined } as Member);',
  ),
  slip(
    'a definition that changes serves what it served',
    ['fields', 'service', 'component'],
    'custom-resources/life-cycle.ts',
    'deepEqual(one.spec, other.spec) &&',
    'one.spec.group === other.spec.group &&',
  ),
  slip(
    'rules of custom types are judged for the first of a list',
    ['component', 'fields'],
    'custom-resources/expression-rules.ts',
    'for (let i = 0; i < list.length && !pass.found.full; i++) {\n      const item',
    'for (let i = 0; i < Math.min(1, list.length) && !pass.found.full; i++) {\n      const item',
  ),
  slip(
    'objects of a list of custom objects may lack what they need from the second on',
    ['fields', 'component'],
    'custom-resources/validate.ts',
    '    else {\n      members?.(value, path, found);\n      required?.(value, path, found);\n    }',
    '    else {\n      members?.(value, path, found);\n      if (!/\\[[1-9]/.test(String(path))) required?.(value, path, found);\n    }',
  ),
  slip(
    'keys of a keyed list of custom objects are told apart by the first alone',
    ['apply'],
    'custom-resources/validate-extensions.ts',
    '  for (const name of keys) {\n    const part',
    '  for (const name of keys.slice(0, 1)) {\n    const part',
  ),
  slip(
    'a Scale tells the replicas that are wanted as those that there are',
    ['service', 'paths'],
    'kinds/autoscaling/scale.ts',
    'status: { replicas: Number(valueAt(object, paths.statusReplicas) ?? 0), ...(selector && { selector }) },',
    'status: { replicas: Number(valueAt(object, paths.specReplicas) ?? 0), ...(selector && { selector }) },',
  ),
  slip(
    'a Scale tells no namespace',
    ['service', 'paths', 'meta'],
    'kinds/autoscaling/scale.ts',
    '      ...(namespace && { namespace }),\n',
    '',
  ),
  slip(
    'custom objects of two versions are told in that in which they are kept where all are listed',
    ['versioning', 'paths', 'collections'],
    'registry/list.ts',
    'if (!resource.served.conversion) return page;',
    'if (!resource.served.conversion || page.items.length > 1) return page;',
  ),
  slip(
    'the generation of custom objects rises with their status',
    ['meta', 'verbs'],
    'custom-resources/custom-rules.ts',
    "const apart = (name: string) => name === 'metadata' || (splitsStatus && name === 'status');",
    "const apart = (name: string) => name === 'metadata' || (splitsStatus && name === 'conditions');",
  ),
  slip(
    'a kind that is gone stays in discovery',
    ['service'],
    'custom-resources/life-cycle.ts',
    '    if (!definition) {\n      this.#known.delete(key);',
    '    if (!definition) {\n      if (this.#known.get(key)?.definition.spec.scope === "Namespaced") return;\n      this.#known.delete(key);',
  ),
];
