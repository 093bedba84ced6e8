import { Query } from './query.ts';

/** What a request asks for, read off its method and URL alone. */
export interface RequestInfo {
  readonly method: string;
  /** Without the query, percent-encoding left as sent. */
  readonly path: string;
  readonly query: Query;
  /** Under `/api/{version}/…` or `/apis/{group}/{version}/…` with a resource segment. */
  readonly isResource: boolean;
  /** For resources get, list, watch, create, update, patch, delete, deletecollection; else the method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  /** Of a request on a namespace itself: its own name. */
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** The object that is asked about; a list may owe it to its selector alone. */
  readonly name: string;
  /** The name in the path; empty for collections. */
  readonly pathName: string;
  /** The path had a `/namespaces/{namespace}/` segment in front of the resource. */
  readonly inNamespace: boolean;
  /** Path segments after the subresource (proxy paths). */
  readonly rest: readonly string[];
  /** Verb, group, version, resource and subresource as one text: the same for all requests of a sort. */
  readonly sort: string;
  /** The same for all requests that nothing but a name tells apart; missing where there are few such. */
  readonly form?: Form;
}

/** What is known of requests to one collection, or to its items, by one method. */
export interface Form {
  readonly verb: string;
  readonly sort: string;
}

/** What the headers of every request are looked through for, at one look. */
export interface Noticed {
  /** How many `Host` headers there are. */
  readonly hosts: number;
  /** The values of `Authorization`, in order. */
  readonly authorization: readonly string[];
  /** It asks to act as somebody else. */
  readonly impersonates: boolean;
}

/** @param rawHeaders names and values in turn, as they were sent */
export function noticedIn(rawHeaders: readonly string[]): Noticed {
  let hosts = 0;
  let impersonates = false;
  const authorization: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== 4 && name.length < 12) continue;
    const known = name.toLowerCase();
    if (known === 'host') hosts++;
    else if (known === 'authorization') authorization.push(rawHeaders[i + 1] ?? '');
    else if (known.startsWith('impersonate-')) impersonates = true;
  }
  return { hosts, authorization, impersonates };
}

const itemVerbs: Record<string, string> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

const decodeSegment = (segment: string) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** A collection in a namespace without a name is that of all namespaces. */
const noNamespace = /^(\/(?:api|apis\/[^/]+)\/[^/]+)\/namespaces\/(\/[^/]+)\/?$/;

/** What a collection's path leads to. */
interface Place {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string;
  readonly inNamespace: boolean;
  /** By method: each text is made once, so that to look something up by it costs little. */
  readonly ofCollection: Map<string, Form>;
  readonly ofItems: Map<string, Form>;
}

/** Paths of collections are few, and nearly every path is one of them or that of an item. */
const places = new Map<string, Place>();
const mostPlaces = 2000;
const longestPlace = 400;
const nothing: readonly string[] = [];

/** Identifies a request. Never throws: what makes no sense is a path request that nothing answers. */
export function identify(method: string, url: string): RequestInfo {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? Query.empty : new Query(url.slice(mark + 1));
  const collection = places.get(path);
  if (collection) return atPlace(collection, { method, path, query, name: '' });
  const cut = path.lastIndexOf('/');
  const parent = places.get(path.slice(0, cut));
  if (parent && cut < path.length - 1 && !path.includes('%'))
    return atPlace(parent, { method, path, query, name: path.slice(cut + 1) });
  const info = identifyAnew(method, url, path, query);
  if (path.length <= longestPlace && path === plainPath(info)) remember(info);
  return info;
}

type Sent = Pick<RequestInfo, 'method' | 'path' | 'query' | 'name'>;

function atPlace(place: Place, sent: Sent): RequestInfo {
  const { method, path, query, name: pathName } = sent;
  // What is read of a collection is told by the query.
  const known = pathName
    ? place.ofItems.get(method)
    : query === Query.empty
      ? place.ofCollection.get(method)
      : undefined;
  const form = known ?? formAt(place, sent);
  const { group, version, resource, namespace, inNamespace } = place;
  const { verb, sort } = form;
  const name = pathName || (query === Query.empty ? '' : nameSelected(verb, query));
  const where = { group, version, resource, subresource: '', namespace, name, pathName, inNamespace, rest: nothing };
  return { method, path, query, isResource: true, verb, sort, ...where, form };
}

function formAt(place: Place, { method, query, name }: Sent): Form {
  const verb = verbOf(method, name, query, false);
  const form = { verb, sort: sortOf(verb, { ...place, subresource: '' }) };
  // The verbs of HTTP are few, but a client may make up some.
  if (itemVerbs[method] && (name || query === Query.empty))
    (name ? place.ofItems : place.ofCollection).set(method, form);
  return form;
}

/** The plain path of what a request is about, which leads nowhere else; undefined for what never has one. */
function plainPath({ isResource, group, version, namespace, inNamespace, resource, pathName }: RequestInfo) {
  // Their items are in a namespace themselves, or they are watched.
  if (!isResource || (!inNamespace && (resource === 'namespaces' || resource === 'watch'))) return undefined;
  const collection = `${group ? `/apis/${group}` : '/api'}/${version}${inNamespace ? `/namespaces/${namespace}` : ''}/${resource}`;
  return pathName ? `${collection}/${pathName}` : collection;
}

function remember({ path, pathName, group, version, resource, namespace, inNamespace }: RequestInfo): void {
  if (places.size >= mostPlaces) places.delete(places.keys().next().value as string);
  const collection = pathName ? path.slice(0, -pathName.length - 1) : path;
  const forms = { ofCollection: new Map(), ofItems: new Map() };
  places.set(collection, { group, version, resource, namespace, inNamespace, ...forms });
}

function identifyAnew(method: string, url: string, path: string, query: Query): RequestInfo {
  const whole = noNamespace.exec(path);
  if (whole) return { ...identify(method, `${whole[1]}${whole[2]}${url.slice(path.length)}`), path };
  if (path.slice(1).includes('//')) return pathRequest(method, path, query);
  const segments = path.split('/');
  if (segments[0] === '') segments.shift();
  if (segments.at(-1) === '') segments.pop();
  const grouped = segments[0] === 'apis';
  const prefix = grouped ? 3 : 2;
  if ((!grouped && segments[0] !== 'api') || segments.length <= prefix) return pathRequest(method, path, query);
  const decoded = path.includes('%') ? segments.map(decodeSegment) : segments;
  const alwaysWatches = decoded[prefix] === 'watch' && decoded.length > prefix + 1;
  const place = locate(decoded.slice(alwaysWatches ? prefix + 1 : prefix));
  const verb = verbOf(method, place.name, query, alwaysWatches);
  const of = { group: grouped ? (decoded[1] ?? '') : '', version: decoded[prefix - 1] ?? '' };
  return {
    method,
    path,
    query,
    isResource: true,
    ...of,
    ...place,
    verb,
    // The older form of watch has it in its path or nowhere.
    name: place.name || (alwaysWatches ? '' : nameSelected(verb, query)),
    pathName: place.name,
    sort: sortOf(verb, { ...of, ...place }),
  };
}

type Sort = Pick<RequestInfo, 'group' | 'version' | 'resource' | 'subresource'>;

const sortOf = (verb: string, { group, version, resource, subresource }: Sort) =>
  `${verb} ${group}/${version} ${resource}/${subresource}`;

function pathRequest(method: string, path: string, query: Query): RequestInfo {
  const none = {
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    pathName: '',
    inNamespace: false,
    rest: nothing,
  };
  const verb = method.toLowerCase();
  return { method, path, query, isResource: false, verb, ...none, sort: sortOf(verb, none) };
}

function locate(parts: readonly string[]) {
  const [first = '', second = '', third = ''] = parts;
  const aboutNamespace = first === 'namespaces' && (parts.length < 3 || third === 'status' || third === 'finalize');
  if (first !== 'namespaces' || aboutNamespace) {
    const namespace = first === 'namespaces' ? second : '';
    return { resource: first, name: second, subresource: third, namespace, inNamespace: false, rest: parts.slice(3) };
  }
  const [, namespace = '', resource = '', name = '', subresource = ''] = parts;
  return { resource, name, subresource, namespace, inNamespace: true, rest: parts.slice(5) };
}

function verbOf(method: string, name: string, query: Query, alwaysWatches: boolean): string {
  if (alwaysWatches) return 'watch';
  const verb = itemVerbs[method] ?? method.toLowerCase();
  if (name) return verb;
  if (verb === 'get') return query.flag('watch') ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

const nameSelected = (verb: string, query: Query): string =>
  verb === 'list' || verb === 'watch' ? nameInFieldSelector(query) : '';

/** A list that selects one name counts as a request about that name, so that rules with resourceNames can allow it. */
function nameInFieldSelector(query: Query): string {
  return /(?:^|,)metadata\.name==?([^,=!\\]+)(?:,|$)/.exec(query.get('fieldSelector') ?? '')?.[1] ?? '';
}
