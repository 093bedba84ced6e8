import { deepEqual } from '../../base/deep-equal.ts';
import { append, type FieldError, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import { dns1035Label } from '../../base/names.ts';
import type { Work } from '../../base/turns/work.ts';
import type { Definition, DefinitionVersion } from '../definition-shape.ts';
import { validateColumns } from '../printer-columns.ts';
import { validateScalePaths } from '../scale.ts';
import { validateSchema } from '../schemas/rules.ts';

const spec = FieldPath.of('spec');

/**
 * The versions of a definition and what each carries. A part that is equal in all versions is checked once, and its
 * errors name it without a version (`spec.validation`, `spec.subresources`, `spec.additionalPrinterColumns`).
 */
export function* validateVersions(definition: Definition): Work<FieldError[]> {
  const { versions } = definition.spec;
  return [
    ...listErrors(versions),
    ...versions.flatMap(nameErrors),
    ...(versions[0]?.name ? labelErrors(spec.child('version'), versions[0].name) : []),
    ...(yield* schemaErrors(versions)),
    ...subresourceErrors(versions),
    ...columnErrors(versions),
  ];
}

function listErrors(versions: readonly DefinitionVersion[]): FieldError[] {
  const path = spec.child('versions');
  const names = versions.map(({ name }) => name);
  const errors: FieldError[] = [];
  if (versions.filter(({ storage }) => storage).length !== 1) {
    errors.push(invalidValue(path, names, 'must have exactly one version marked as storage version'));
  }
  if (new Set(names).size < names.length) errors.push(invalidValue(path, names, 'must contain unique version names'));
  return errors;
}

const labelErrors = (path: FieldPath, name: string) =>
  dns1035Label(name).map((problem) => invalidValue(path, name, problem));

function nameErrors(version: DefinitionVersion, i: number): FieldError[] {
  const path = spec.child('versions').index(i);
  const errors = labelErrors(path.child('name'), version.name);
  if (version.deprecationWarning === undefined) return errors;
  return [...errors, ...warningErrors(version, version.deprecationWarning, path.child('deprecationWarning'))];
}

const longestWarning = 256;

function warningErrors(version: DefinitionVersion, text: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!version.deprecated) errors.push(invalidValue(path, text, 'can only be set for deprecated versions'));
  if (text === '') errors.push(invalidValue(path, text, 'must not be an empty string'));
  if (Buffer.byteLength(text) > longestWarning) {
    errors.push(invalidValue(path, text, `must be ${longestWarning} bytes or less`));
  }
  if (/[\p{C}\p{Z}]/u.test(text.replaceAll(' ', '')))
    errors.push(invalidValue(path, text, 'must only contain printable characters'));
  return errors;
}

interface Part<T> {
  readonly value: T;
  readonly version: DefinitionVersion;
  readonly path: FieldPath;
}

/** A part of each version, or once if all versions agree on it. */
function parts<T>(
  versions: readonly DefinitionVersion[],
  of: (version: DefinitionVersion) => T,
  own: string,
  shared: string,
): Part<T>[] {
  const all = versions.map((version, i) => ({
    version,
    value: of(version),
    path: spec.child('versions').index(i).child(own),
  }));
  const [first, ...rest] = all;
  if (!first) return [];
  return rest.every(({ value }) => deepEqual(value, first.value)) ? [{ ...first, path: spec.child(shared) }] : all;
}

function* schemaErrors(versions: readonly DefinitionVersion[]): Work<FieldError[]> {
  const schemaPath = (i: number) => spec.child('versions').index(i).child('schema').child('openAPIV3Schema');
  const missing = versions.flatMap(({ schema }, i) =>
    schema?.openAPIV3Schema ? [] : [required(schemaPath(i), 'schemas are required')],
  );
  if (missing.length > 0) return missing;
  const errors: FieldError[] = [];
  for (const { value, path, version } of parts(versions, ({ schema }) => schema, 'schema', 'validation')) {
    const status = version.subresources?.status !== undefined;
    const schema = value?.openAPIV3Schema;
    if (schema) append(errors, yield* validateSchema(schema, path.child('openAPIV3Schema'), status));
  }
  return errors;
}

const subresourceErrors = (versions: readonly DefinitionVersion[]): FieldError[] =>
  parts(versions, ({ subresources }) => subresources, 'subresources', 'subresources').flatMap(({ value, path }) =>
    value?.scale ? validateScalePaths(value.scale, path.child('scale')) : [],
  );

const columnErrors = (versions: readonly DefinitionVersion[]): FieldError[] =>
  parts(
    versions,
    ({ additionalPrinterColumns }) => additionalPrinterColumns ?? [],
    'additionalPrinterColumns',
    'additionalPrinterColumns',
  ).flatMap(({ value, path }) => validateColumns(value, path));
