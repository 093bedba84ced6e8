import { slip } from '../fault.ts';

/** Objects that stand within custom ones. */
export default [
  slip(
    'an object within a custom one may have any name and labels',
    ['component'],
    'custom-resources/validation/validate-extensions.ts',
    "...(isJsonObject(metadata) ? validateEmbeddedMetadata(metadata as ObjectMeta, String(path.child('metadata'))) : []),",
    '',
  ),
  slip(
    'an object within a custom one may have any name',
    ['component'],
    'registry/steps/metadata-rules.ts',
    '    ...(name ? problemsOf(pathSegment(name), `${at}.name`, name) : none),\n    ...(generateName ? problemsOf(pathSegment(',
    '    ...(generateName ? problemsOf(pathSegment(',
  ),
];
