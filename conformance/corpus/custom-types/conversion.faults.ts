import { slip } from '../fault.ts';

const conversionReview = 'custom-resources/conversion-review.ts';

/** Custom objects in another version than the stored one, and the webhooks that convert them. */
export default [
  slip(
    'custom objects are converted but keep the fields of the other version',
    ['versioning', 'component'],
    'custom-resources/custom-resource.ts',
    'known : then(parts.convert(known, apiVersion), parts.compiled(name).prune);',
    'known : parts.convert(known, apiVersion);',
  ),
  slip(
    'custom objects of two versions are told in that in which they are kept where all are listed',
    ['versioning', 'paths', 'collections'],
    'registry/list.ts',
    'if (!resource.served.conversion) return page;',
    'if (!resource.served.conversion || page.items.length > 1) return page;',
  ),
  slip(
    'lists of custom objects show them as they are stored',
    ['versioning', 'lists'],
    'registry/list.ts',
    'if (!resource.served.conversion) return page;',
    'if (!resource.served.conversion || resource.custom) return page;',
  ),
  slip(
    'a conversion may give an object another uid',
    ['webhook', 'kinds'],
    conversionReview,
    "for (const field of ['name', 'namespace', 'uid'] as const) {",
    "for (const field of ['name', 'namespace'] as const) {",
  ),
  slip(
    'labels that a conversion changes stay as they were',
    ['webhook', 'kinds'],
    conversionReview,
    'return { ...kept, ...told };',
    'return { ...kept, ...told, ...(_labels && { labels: _labels }) };',
  ),
  slip(
    'why a conversion failed is not told',
    ['webhook', 'kinds'],
    conversionReview,
    "typeof result['message'] === 'string' && result['message']\n      ? result['message']",
    "typeof result['message'] === 'string' && result['message']\n      ? 'no message'",
  ),
  slip(
    'labels that a conversion changes are strewn over the metadata',
    ['webhook', 'versioning'],
    conversionReview,
    'labels && { labels }',
    '(labels)',
  ),
  slip(
    'a watch of custom objects tells of them as they are stored',
    ['versioning', 'watch'],
    'request/watch-stream.ts',
    'served.conversion ? seen : undefined',
    'served.conversion && !resource.custom ? seen : undefined',
  ),
  slip(
    'a custom type cannot say that its versions need no conversion',
    ['versioning'],
    'custom-resources/definition-conversion.ts',
    "'None', ",
    '',
  ),
  slip(
    'annotations that a conversion sets are lost',
    ['versioning'],
    'custom-resources/conversion-review.ts',
    ' ...(annotations && { annotations }) };',
    ' };',
  ),
  slip(
    'the service of a conversion webhook has no port of its own accord',
    ['component'],
    'custom-resources/definition.ts',
    '  if (service) service.port ??= 443;\n',
    '',
  ),
];
