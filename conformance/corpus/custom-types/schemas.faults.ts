import { slip } from '../fault.ts';

const schemaKeywords = 'custom-resources/schemas/keywords.ts';

/** Which schemas a definition may bring. */
export default [
  slip('a map of a custom type cannot be atomic', ['component', 'apply'], schemaKeywords, "'atomic', ", ''),
  slip(
    'what says nothing is refused in a schema',
    ['component'],
    schemaKeywords,
    "typeof value === 'object' ? Object.keys(value ?? {}).length > 0 : Boolean(value)",
    '(Boolean(value))',
  ),
  slip(
    'a custom type may embed a whole object in the metadata of an embedded one',
    ['component'],
    schemaKeywords,
    '...own, ',
    '',
  ),
  slip(
    'what a schema says in vain is stored',
    ['component'],
    'custom-resources/definition/definition.ts',
    'storedSchema(schema.openAPIV3Schema)',
    'schema.openAPIV3Schema',
  ),
  slip(
    'a custom type whose fields say of what type they are is told that they do not',
    ['versioning', 'component'],
    'custom-resources/schemas/structural.ts',
    'schema.type || free ? [] : [required(at, typeless[level])]',
    '([required(at, typeless[level])])',
  ),
  slip(
    'the parts of a schema that restrict may have no type and nothing besides',
    ['component', 'versioning'],
    'custom-resources/schemas/structural.ts',
    "schema[keyword] && !(keyword === 'type' && types === 'own')",
    "!(schema[keyword] && !(keyword === 'type' && types === 'own'))",
  ),
  slip(
    'what a schema says of a custom type in vain is neither dropped nor forgiven',
    ['component', 'versioning'],
    'custom-resources/definition/tidy-schema.ts',
    'tidy(parts);',
    '',
  ),
  slip(
    'a key of a keyed list of custom objects may be an object',
    'apply',
    'custom-resources/schemas/lists.ts',
    'if (property.type && composed.includes(property.type)) {',
    "if (property.type === 'array') {",
  ),
  slip(
    'what is there three times is told twice',
    'kinds',
    'custom-resources/validation/validate-extensions.ts',
    'if (times === 2) found',
    'if (times >= 2) found',
  ),
  slip(
    'a custom type may describe all of the metadata',
    ['component'],
    'custom-resources/schemas/structural.ts',
    'if (!others && Object.keys(rest).length === 0) return [];',
    'return others && Object.keys(rest).length > 0 ? [forbiddenField(root, "")] : [];\n  if (Object.keys(rest).length === 0) return [];',
  ),
  slip(
    'the name of a custom object may have a default',
    ['component'],
    'custom-resources/schemas/defaults.ts',
    '? noDefaults(part.schema, part.path)',
    '? []',
  ),
  slip(
    'a branch may speak of what nobody described',
    ['component'],
    'custom-resources/schemas/structural.ts',
    "if (level === 'root') errors.push(...undescribed(part.schema, part.path, schema, path));",
    "if (level !== 'root') continue;",
  ),
  slip(
    'a schema in protobuf that allows anything allows nothing',
    ['content'],
    'schema/protobuf/decode.ts',
    "else if (tag === 8 && form === 'schemaOrBool') allows = reader.bool();",
    '',
  ),
];
