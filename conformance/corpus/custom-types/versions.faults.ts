import { slip, slips } from '../fault.ts';

const definition = 'custom-resources/definition.ts';

/** The versions of a custom type: served, stored, deprecated, and their order. */
export default [
  slip(
    'a custom type knows only the version in which it is stored now',
    ['versioning', 'kinds'],
    definition,
    'definition.status.storedVersions = [...stored, storage];',
    'definition.status.storedVersions = [storage];',
  ),
  slip(
    'a new version in which objects are stored is not noted',
    ['service', 'versioning', 'component'],
    definition,
    'if (storage !== undefined && !stored.includes(storage)) definition',
    'if (storage !== undefined && stored.length === 0) definition',
  ),
  slip(
    'a definition may lose a version in which objects are stored',
    ['component', 'versioning'],
    definition,
    "    names.has(name) ? [] : [invalidValue(`status.storedVersions[${i}]`, name, 'must appear in spec.versions')],",
    '    names.has(name) || i >= 0 ? [] : [],',
  ),
  slip(
    'a version that a custom group does not have is told of by a Status',
    ['paths', 'versioning'],
    'request/paths.ts',
    'return resources.hasBuiltInGroup(name) ? undefined : () => notThere();',
    'return (undefined);',
  ),
  slip(
    'a version of a custom type that is not served is served',
    ['versioning', 'paths'],
    'custom-resources/custom-resource.ts',
    '    .filter((version) => version.served)\n',
    '',
  ),
  slip(
    'a version of a custom type that is deprecated warns in its own words alone',
    ['kinds', 'versioning'],
    'custom-resources/custom-resource.ts',
    'if (!version.deprecated) return undefined;',
    'if (!version.deprecated || version.deprecationWarning === undefined) return undefined;',
  ),
  slip(
    'versions of custom types are put in order letter by letter',
    ['versioning', 'kinds'],
    'custom-resources/version-order.ts',
    'return descending(a.stability, b.stability) || descending(a.major, b.major) || descending(a.minor, b.minor);',
    'return descending(a.stability, b.stability) || (one > other ? -1 : one < other ? 1 : 0);',
  ),
  slip(
    'a warning of a version may be as long as one likes',
    ['component'],
    'custom-resources/definition-versions.ts',
    'errors.push(invalidValue(path, text, `must be ${longestWarning} bytes or less`));',
    '',
  ),
  slip(
    'a version of a custom type that is served no more is served on',
    ['versioning', 'service', 'paths'],
    'custom-resources/life-cycle.ts',
    '  deepEqual(one.spec, other.spec) &&',
    '  (deepEqual(one.spec, other.spec) || one.spec.versions.some(({ name, served }) => served && other.spec.versions.some((each) => each.name === name && !each.served))) &&',
  ),
  slip(
    'a version that is deprecated warns in lists alone',
    ['versioning'],
    'request/dispatch.ts',
    'if (deprecation && (',
    'if (deprecation && !info.pathName && (',
  ),
  slip(
    'a new version in which objects are stored takes the place of the older one',
    ['paths', 'versioning', 'kinds', 'fields'],
    'custom-resources/definition.ts',
    '[...stored, storage]',
    '[storage]',
  ),
  slip(
    'custom objects are read by the schema of the stored version',
    ['fields'],
    'custom-resources/custom-resource.ts',
    'parts.compiled(version.name).structure(objectMeta())',
    'parts.compiled(parts.storage.name).structure(objectMeta())',
  ),
  slips(
    'an object is shown in the version in which it was read first',
    ['component'],
    [
      {
        file: 'registry/resource.ts',
        from: 'const there = views.get(served);',
        to: 'const there = (views as { first?: Stored }).first;',
      },
      {
        file: 'registry/resource.ts',
        from: '  views.set(served, shown);',
        to: '  views.set(served, shown);\n  (views as { first?: Stored }).first ??= shown;',
      },
    ],
  ),
  slip(
    'where a custom type was found once it is found for ever',
    ['paths'],
    'request/dispatch.ts',
    'if (found && info.form && !found.resource.custom) routes.set',
    'if (found && info.form) routes.set',
  ),
  slip(
    'custom objects are judged by the version in which they are stored',
    ['component'],
    'custom-resources/custom-rules.ts',
    'const { validate, fill, scale } = parts.compiled(version.name);',
    'const { validate } = parts.compiled(parts.storage.name);\n  const { fill, scale } = parts.compiled(version.name);',
  ),
  slip(
    'custom objects get the defaults of the version in which they are stored',
    ['component'],
    'custom-resources/custom-rules.ts',
    'const { validate, fill, scale } = parts.compiled(version.name);',
    'const { validate, scale } = parts.compiled(version.name);\n  const { fill } = parts.compiled(parts.storage.name);',
  ),
  slip(
    'a custom type has the columns of the version in which it is stored',
    ['component'],
    'custom-resources/custom-rules.ts',
    'table: tableOf(version.additionalPrinterColumns),',
    'table: tableOf(parts.storage.additionalPrinterColumns),',
  ),
  slip(
    'a custom type has its Scale where the version has it in which it is stored',
    ['component'],
    'custom-resources/custom-rules.ts',
    'const { validate, fill, scale } = parts.compiled(version.name);',
    'const { validate, fill } = parts.compiled(version.name);\n  const { scale } = parts.compiled(parts.storage.name);',
  ),
  slip(
    'a deletion shows custom objects in the version in which they are stored',
    ['paths'],
    'registry/delete.ts',
    'object: await fromStorage(resource, answer ?? stored.value) };',
    'object: answer ?? stored.value };\n    void fromStorage;',
  ),
];
