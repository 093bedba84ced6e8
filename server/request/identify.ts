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

/** Identifies a request. Never throws: what makes no sense is a path request that nothing answers. */
export function identify(method: string, url: string): RequestInfo {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? Query.empty : new Query(url.slice(mark + 1));
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
  const isRead = verb === 'list' || verb === 'watch';
  return {
    method,
    path,
    query,
    isResource: true,
    group: grouped ? (decoded[1] ?? '') : '',
    version: decoded[prefix - 1] ?? '',
    ...place,
    verb,
    name: place.name || (isRead ? nameInFieldSelector(query) : ''),
    pathName: place.name,
  };
}

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
    rest: [],
  };
  return { method, path, query, isResource: false, verb: method.toLowerCase(), ...none };
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

/** A list that selects one name counts as a request about that name, so that rules with resourceNames can allow it. */
function nameInFieldSelector(query: Query): string {
  return /(?:^|,)metadata\.name==?([^,=!\\]+)(?:,|$)/.exec(query.get('fieldSelector') ?? '')?.[1] ?? '';
}
