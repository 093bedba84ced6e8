import { methodNotAllowed, noSuchPath, notFound, statusAnswer } from '../base/status-error.ts';
import type { ListedResource, Resources } from '../registry/resources.ts';
import type { RequestInfo } from './identify.ts';

/** Where a resource request leads. */
export interface Route {
  readonly resource: ListedResource;
  /** Empty for the object or collection itself. */
  readonly subresource: string;
}

/** Any of them leads to custom objects, named or not: what carries it out asks for the name, where it needs one. */
const customMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

const itemVerbs: readonly string[] = ['get', 'update', 'patch', 'delete'];

/**
 * What a path leads to; undefined when not even the group is served. `warn`: told what there is to say of a custom kind
 * that lacks the subresource. @throws 404, 405
 */
export function route(info: RequestInfo, resources: Resources, warn = (_: string) => {}): Route | undefined {
  const { group, version, resource: plural, subresource } = info;
  if (info.pathName.includes('/')) throw noSuchPath();
  const resource = resources.find(group, version, plural);
  if (!resource) {
    if (group === '' || resources.hasBuiltInGroup(group)) throw noSuchPath();
    return undefined;
  }
  if (resource.custom && resource.namespaced && !info.inNamespace && !readsAll(info)) return undefined;
  if (resource.namespaced !== info.inNamespace) checkScope(info, resource);
  if (subresource) checkSubresource(info, resource, warn);
  else if (!resource.custom) checkVerb(info, resource);
  else if (!customMethods.has(info.method)) throw notSupported('', resource);
  return { resource, subresource };
}

/** Objects of all namespaces are only read. */
const readsAll = ({ verb, pathName }: RequestInfo) => pathName === '' && (verb === 'list' || verb === 'watch');

/** An older form of watch has the name of one object in its path. */
const isItem = ({ verb, pathName }: RequestInfo) => verb !== 'watch' && pathName !== '';

const namelessVerbs: readonly string[] = ['create', 'deletecollection'];

/** Below a namespace and not are different places. */
function checkScope(info: RequestInfo, resource: ListedResource): void {
  if (!resource.namespaced || isItem(info)) throw noSuchPath();
  // In a namespace without a name something may be asked to be made or to go: that tells that one is missing.
  if (namelessVerbs.includes(info.verb) && info.path.includes('/namespaces//')) return;
  // What is never listed has no place outside of a namespace.
  if (!resource.verbs.has('list')) throw noSuchPath();
  if (info.verb !== 'list' && info.verb !== 'watch') throw methodNotAllowed();
}

const isBelowWatch = ({ path, version }: RequestInfo) => path.includes(`/${version}/watch/`);

const notSupported = (verb: string, { group, plural }: ListedResource) =>
  statusAnswer(
    405,
    `${verb} is not supported on resources of kind "${group ? `${plural}.${group}` : plural}"`,
    'MethodNotAllowed',
    { ...(group && { group }), kind: plural },
  );

function checkSubresource(
  { subresource, verb, rest, name }: RequestInfo,
  resource: ListedResource,
  warn: (text: string) => void,
): void {
  const found = resource.subresources.get(subresource);
  if (!found || (rest.length > 0 && subresource !== 'proxy')) {
    if (resource.custom && resource.deprecation) warn(resource.deprecation);
    throw resource.custom ? notFound({ group: resource.group, resource: resource.plural }, name) : noSuchPath();
  }
  // Whatever is behind a proxy may be asked for its options.
  if (subresource === 'proxy' && verb === 'options') return;
  if (!found.verbs.has(verb)) throw resource.custom ? notSupported(verb, resource) : methodNotAllowed();
}

/** @throws 404, 405 */
function checkVerb(info: RequestInfo, resource: ListedResource): void {
  const { verb, pathName, method } = info;
  // The older form of watch says in its path what is to be done; it is there for what can be watched, and only read.
  if (verb === 'watch' && !resource.verbs.has('watch') && isBelowWatch(info)) throw noSuchPath();
  if (verb === 'watch' && method !== 'GET') throw methodNotAllowed();
  const fits = itemVerbs.includes(verb) === (verb !== 'watch' && pathName !== '');
  if (fits && resource.verbs.has(verb)) return;
  if (verb === 'watch' && resource.verbs.has('list')) throw notSupported(verb, resource);
  throw isItem(info) && !itemVerbs.some((each) => resource.verbs.has(each)) ? noSuchPath() : methodNotAllowed();
}
