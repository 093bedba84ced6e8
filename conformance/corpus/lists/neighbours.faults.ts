import { slip } from '../fault.ts';

/** What a list or a watch has to do with: kinds whose names begin alike, versions that it was asked for. */
export default [
  slip(
    'a list of a custom type shows objects of types whose names begin with its own',
    ['paths', 'collections', 'verbs'],
    'registry/list.ts',
    'const prefix = prefixOf(resource, call.namespace);',
    'const prefix = resource.custom && !call.namespace ? resource.prefix.slice(0, -1) : prefixOf(resource, call.namespace);',
  ),
  slip(
    'a watch of a custom type tells of objects of types whose names begin with its own',
    ['paths', 'watch', 'verbs'],
    'request/verbs/watch.ts',
    ': prefixOf(resource, namespace);',
    ': resource.custom && !namespace ? resource.prefix.slice(0, -1) : prefixOf(resource, namespace);',
  ),
  slip(
    'a list that is not older than a version bears that version',
    ['lists', 'rv'],
    'registry/list.ts',
    'const page = await collect(call, request, exact, position?.after);',
    'const found = await collect(call, request, exact, position?.after);\n    const page = exact === undefined && request.version > 0 ? { ...found, revision: request.version } : found;',
  ),
];
