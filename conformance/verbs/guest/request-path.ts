/** What a request's path speaks of. */
export interface Place {
  /** `/api/v1` or `/apis/{group}/{version}`. */
  readonly root: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly namespace?: string;
  readonly resource: string;
  readonly name?: string;
  readonly sub?: string;
}

/** Reads the path of a collection, an object or a subresource; undefined for any other. Namespaces are cluster-scoped. */
export function placeOf(path: string): Place | undefined {
  const [, api, ...parts] = (path.split('?')[0] ?? '').split('/').map(decoded);
  const depth = api === 'api' ? 1 : api === 'apis' ? 2 : undefined;
  if (depth === undefined || parts.length <= depth) return undefined;
  const root = `/${[api, ...parts.slice(0, depth)].join('/')}`;
  const group = depth === 1 ? '' : (parts[0] ?? '');
  const rest = parts.slice(depth);
  const inside = rest[0] === 'namespaces' && rest.length > 2 && !namespaceSubs.includes(rest[2] ?? '');
  const [resource = '', name, sub] = inside ? rest.slice(2) : rest;
  if (resource === '') return undefined;
  return {
    root,
    group,
    ...(inside && rest[1] ? { namespace: rest[1] } : {}),
    resource,
    ...(name ? { name } : {}),
    ...(sub ? { sub } : {}),
  };
}

/** Subresources of a namespace, which look like resources in it. */
const namespaceSubs = ['status', 'finalize'];

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The path of the collection that a place is in. */
export const collectionPath = ({ root, namespace, resource }: Place): string =>
  namespace === undefined ? `${root}/${resource}` : `${root}/namespaces/${namespace}/${resource}`;
