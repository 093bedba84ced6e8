import { type Fault, slip } from './fault.ts';

const scalars = 'custom-resources/validate-scalars.ts';
const definition = 'custom-resources/definition.ts';

export const strayingSlips: readonly Fault[] = [
  slip(
    'what an apply to a status leaves out stays',
    ['apply'],
    'patch/apply/apply.ts',
    'if (last && (leftOut || last.apiVersion !== apiVersion))',
    "if (last && request.subresource !== 'status' && (leftOut || last.apiVersion !== apiVersion))",
  ),
  slip(
    'the entries of updates are never put together',
    ['apply'],
    'patch/apply/managers.ts',
    'export const maximumUpdateManagers = 10;',
    'export const maximumUpdateManagers = 1000;',
  ),
  slip(
    'a manager may have a name of any length',
    ['apply', 'params'],
    'patch/apply/field-manager.ts',
    'if (Buffer.byteLength(name) > maximumBytes) errors.push(tooLong(at, maximumBytes));',
    '',
  ),
  slip(
    'managers are not told in protobuf',
    ['content'],
    'schema/protobuf-encode.ts',
    'if (member === undefined || member === null) continue;',
    "if (member === undefined || member === null || field.name === 'managedFields') continue;",
  ),
  slip(
    'times lose their microseconds where protobuf is read',
    ['content', 'event'],
    'schema/protobuf-decode.ts',
    "const fraction = String(Math.trunc(Number(parts.get(2) ?? 0) / 1000)).padStart(6, '0');",
    "const fraction = '000000';",
  ),
  slip(
    'a Table that shall tell no objects tells their metadata',
    ['content'],
    'registry/table.ts',
    "options.include === 'None' ? null : partial",
    'partial',
  ),
  slip(
    'columns of custom types have no priority',
    ['content', 'paths'],
    'custom-resources/printer-columns.ts',
    'priority: priority ?? 0,',
    'priority: 0,',
  ),
  slip(
    'a custom object may have fewer members than it must',
    ['component', 'service', 'fields'],
    'custom-resources/validate.ts',
    "if (minProperties !== undefined && count < minProperties) tooFew(path, count, minProperties, 'properties', found);\n    else if",
    'if',
  ),
  slip(
    'numbers of custom objects may be any, whatever they must be multiples of',
    ['component', 'service', 'fields'],
    scalars,
    'if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {',
    'if (multipleOf !== undefined && multipleOf > 1 && !isMultiple(value, multipleOf)) {',
  ),
  slip(
    'an integer or a text of custom objects may be a fraction',
    ['component', 'service', 'fields'],
    'custom-resources/validate.ts',
    "return ['integer', 'string'];",
    "return ['integer', 'string', 'number'];",
  ),
  slip(
    'items of a keyed list are compared by their place',
    ['component', 'service', 'fields'],
    'custom-resources/expression-rules.ts',
    'walk(item, keys && partners?.get(keyOf(item, keys)), path.index(i), pass);',
    'walk(item, keys && partners && (previous as readonly Json[])[i], path.index(i), pass);',
  ),
  slip(
    'what is embedded in custom objects loses its kind',
    ['component', 'service', 'fields'],
    'custom-resources/prune.ts',
    "const kept = resource || schema['x-kubernetes-embedded-resource'] === true ? envelope : [];",
    'const kept = resource ? envelope : [];',
  ),
  slip(
    'a definition may lose a version in which objects are stored',
    ['component', 'versioning'],
    definition,
    "    names.has(name) ? [] : [invalidValue(`status.storedVersions[${i}]`, name, 'must appear in spec.versions')],",
    '    names.has(name) || i >= 0 ? [] : [],',
  ),
  slip(
    'the scope of a custom type may change',
    ['component', 'paths'],
    definition,
    "    ['spec.scope', next.spec.scope, previous.spec.scope, false],\n",
    '',
  ),
  slip(
    'a Scale of custom objects does not tell whom it selects',
    ['verbs', 'paths'],
    'custom-resources/scale.ts',
    '    ...(scale.labelSelectorPath && { selector: scale.labelSelectorPath }),\n',
    '',
  ),
  slip(
    'a Scale may be negative',
    ['verbs', 'paths'],
    'kinds/autoscaling/scale.ts',
    "if (typeof replicas === 'number' && replicas >= 0) return;",
    "if (typeof replicas === 'number') return;",
  ),
];
