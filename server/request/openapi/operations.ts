import type { CustomResource } from '../../custom-resources/custom-resource.ts';
import type { ListedResource, Resources } from '../../registry/resources.ts';
import { type ApiOperation, apiOperations } from '../../schema/load.ts';

/** What one path answers, by HTTP method in lower case. */
export type PathOperations = Readonly<Record<string, ApiOperation>>;

const listParameters = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'pretty',
  'resourceVersion',
  'resourceVersionMatch',
  'timeoutSeconds',
  'watch',
];
const writeParameters = ['body', 'dryRun', 'fieldManager', 'fieldValidation', 'pretty'];
const deleteParameters = ['body', 'dryRun', 'gracePeriodSeconds', 'orphanDependents', 'pretty', 'propagationPolicy'];
const selectParameters = listParameters.filter((name) => name !== 'allowWatchBookmarks' && name !== 'watch');
const patches = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];
const json = ['application/json', 'application/yaml'];

/** The paths of a custom resource, in the form in which those of built-in ones are imported. */
function customOperations(resource: ListedResource): Record<string, PathOperations> {
  const { group, served, plural, listKind, namespaced } = resource;
  const base = `/apis/${group}/${served.version}`;
  const collection = namespaced ? `${base}/namespaces/{namespace}/${plural}` : `${base}/${plural}`;
  const place = namespaced ? ['namespace'] : [];
  const make = (
    action: string,
    parameters: readonly string[],
    responses: readonly string[],
    consumes = json,
  ): ApiOperation => ({
    action,
    gvk: { group, version: served.version, kind: served.kind },
    listKind,
    consumes,
    produces: json,
    parameters: [...parameters, ...place],
    responses,
  });
  const read = make('get', ['name', 'pretty'], ['200', '401']);
  const replace = make('put', ['name', ...writeParameters], ['200', '201', '401']);
  const change = make('patch', ['name', 'force', ...writeParameters], ['200', '201', '401'], patches);
  const paths: Record<string, PathOperations> = {
    [collection]: {
      get: make('list', listParameters, ['200', '401']),
      post: make('post', writeParameters, ['200', '201', '202', '401']),
      delete: make('deletecollection', [...new Set([...selectParameters, ...deleteParameters])], ['200', '401']),
    },
    [`${collection}/{name}`]: {
      get: read,
      put: replace,
      patch: change,
      delete: make('delete', ['name', ...deleteParameters], ['200', '202', '401']),
    },
  };
  if (namespaced)
    paths[`${base}/${plural}`] = {
      get: { ...make('list', listParameters, ['200', '401']), parameters: listParameters },
    };
  for (const sub of resource.subresources.keys()) {
    paths[`${collection}/{name}/${sub}`] = { get: read, put: replace, patch: change };
  }
  return paths;
}

/** Every served path with its operations: the imported ones that are turned on, and those of custom resources. */
export function servedOperations(resources: Resources): ReadonlyMap<string, PathOperations> {
  const paths = new Map<string, PathOperations>();
  for (const [path, operations] of Object.entries(apiOperations())) {
    if (isServed(path, resources)) paths.set(path, operations);
  }
  for (const resource of customOf(resources)) {
    for (const [path, operations] of Object.entries(customOperations(resource))) paths.set(path, operations);
  }
  return paths;
}

/** The custom resources among those that are served. */
export const customOf = (resources: Resources): readonly CustomResource[] =>
  [...resources.all()].filter((resource) => resource.custom) as CustomResource[];

function isServed(path: string, resources: Resources): boolean {
  const [, prefix, group = '', version = ''] = path.split('/');
  if (prefix !== 'apis' || !group) return true;
  return version ? resources.hasGroupVersion(group, version) : resources.hasGroup(group);
}
