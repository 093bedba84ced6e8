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

/** What one operation on the objects of a custom resource takes and answers, but for their namespace. */
type Form = Pick<ApiOperation, 'parameters' | 'responses'> & Partial<Pick<ApiOperation, 'consumes'>>;

const forms = {
  list: { parameters: listParameters, responses: ['200', '401'] },
  post: { parameters: writeParameters, responses: ['200', '201', '202', '401'] },
  deletecollection: {
    parameters: [...new Set([...selectParameters, ...deleteParameters])],
    responses: ['200', '401'],
  },
  get: { parameters: ['name', 'pretty'], responses: ['200', '401'] },
  put: { parameters: ['name', ...writeParameters], responses: ['200', '201', '401'] },
  patch: { parameters: ['name', 'force', ...writeParameters], responses: ['200', '201', '401'], consumes: patches },
  delete: { parameters: ['name', ...deleteParameters], responses: ['200', '202', '401'] },
} as const satisfies Readonly<Record<string, Form>>;

/** @param place the parameters of the path that say where the objects are */
function operationOf(resource: ListedResource, action: keyof typeof forms, place: readonly string[]): ApiOperation {
  const { group, served, listKind } = resource;
  const { parameters, ...form } = forms[action];
  return {
    action,
    gvk: { group, version: served.version, kind: served.kind },
    listKind,
    consumes: json,
    produces: json,
    ...form,
    parameters: [...parameters, ...place],
  };
}

/** The paths of a custom resource, in the form in which those of built-in ones are imported. */
function customOperations(resource: ListedResource): Record<string, PathOperations> {
  const { group, served, plural, namespaced, subresources } = resource;
  const base = `/apis/${group}/${served.version}`;
  const collection = namespaced ? `${base}/namespaces/{namespace}/${plural}` : `${base}/${plural}`;
  const operation = (action: keyof typeof forms) => operationOf(resource, action, namespaced ? ['namespace'] : []);
  const [read, replace, change] = [operation('get'), operation('put'), operation('patch')];
  const paths: Record<string, PathOperations> = {
    [collection]: { get: operation('list'), post: operation('post'), delete: operation('deletecollection') },
    [`${collection}/{name}`]: { get: read, put: replace, patch: change, delete: operation('delete') },
  };
  if (namespaced) paths[`${base}/${plural}`] = { get: operationOf(resource, 'list', []) };
  for (const sub of subresources.keys()) {
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
