import { keyFor, keyOf, namespaceOf, olderFirst } from '../runtime/kube-object.ts';
import type { Ingress } from '../runtime/resources.ts';

/** Where requests go: a port of a Service, or nowhere, where an Ingress names another resource. */
export interface Backend {
  /** Key of the Service; empty for a resource that is none. */
  readonly service: string;
  /** Name or number of its port. */
  readonly port: string | number;
}

/** The paths of one host. */
interface Paths {
  readonly exact: Map<string, Backend>;
  /** By their elements, without a slash at the end. */
  readonly prefix: Map<string, Backend>;
  /** Characters of the longest prefix. */
  longest: number;
  /** For what no path fits. */
  fallback?: Backend;
}

/** Every route there is, made once for each change of Ingresses. */
export interface Routes {
  readonly hosts: ReadonlyMap<string, Paths>;
  /** By what follows the first label. */
  readonly wildcards: ReadonlyMap<string, Paths>;
  readonly anyHost: Paths;
}

const emptyPaths = (): Paths => ({ exact: new Map(), prefix: new Map(), longest: 0 });
const emptyTables = () => ({
  hosts: new Map<string, Paths>(),
  wildcards: new Map<string, Paths>(),
  anyHost: emptyPaths(),
});

export const noRoutes: Routes = emptyTables();

/** The routes of these Ingresses. Where several claim the same, the oldest has it. */
export function planRoutes(ingresses: readonly Ingress[]): Routes {
  const routes = emptyTables();
  const sorted = inOrder(ingresses);
  for (const ingress of sorted) addRules(routes, ingress);
  // Who has no rules means all traffic; the others only what their own rules leave over, unless nobody else takes it.
  const bare = sorted.filter(({ spec }) => !spec?.rules?.length);
  const fallback = [...bare, ...sorted].map(defaultOf).find((backend) => backend !== undefined);
  if (fallback) routes.anyHost.fallback = fallback;
  return routes;
}

/** The oldest first, so that a newcomer takes nothing away. */
export const inOrder = (ingresses: readonly Ingress[]): readonly Ingress[] =>
  ingresses.toSorted((a, b) => olderFirst(a, b) || (keyOf(a) < keyOf(b) ? -1 : 1));

type Rules = NonNullable<NonNullable<Ingress['spec']>['rules']>;
type IngressBackend = NonNullable<NonNullable<Ingress['spec']>['defaultBackend']>;

function addRules(routes: ReturnType<typeof emptyTables>, ingress: Ingress): void {
  for (const { host = '', http } of ingress.spec?.rules ?? []) {
    const paths = pathsOf(routes, host.toLowerCase());
    for (const path of http?.paths ?? []) addPath(paths, path, namespaceOf(ingress));
    const backend = host ? defaultOf(ingress) : undefined;
    if (backend) paths.fallback ??= backend;
  }
}

function pathsOf({ hosts, wildcards, anyHost }: ReturnType<typeof emptyTables>, host: string): Paths {
  if (!host) return anyHost;
  const [table, name] = host.startsWith('*.') ? [wildcards, host.slice(2)] : [hosts, host];
  const paths = table.get(name) ?? emptyPaths();
  table.set(name, paths);
  return paths;
}

type Path = NonNullable<Rules[number]['http']>['paths'][number];

/** `ImplementationSpecific` means the same as `Prefix` here. */
function addPath(paths: Paths, { path = '/', pathType, backend }: Path, namespace: string): void {
  const [table, name] = pathType === 'Exact' ? [paths.exact, path] : [paths.prefix, path.replace(/\/+$/, '')];
  if (pathType !== 'Exact') paths.longest = Math.max(paths.longest, name.length);
  if (!table.has(name)) table.set(name, backendOf(backend, namespace));
}

function backendOf({ service }: IngressBackend, namespace: string): Backend {
  if (!service) return { service: '', port: 0 };
  const { name, port } = service;
  return { service: keyFor(namespace, name), port: port?.name || (port?.number ?? 0) };
}

const defaultOf = (ingress: Ingress): Backend | undefined =>
  ingress.spec?.defaultBackend && backendOf(ingress.spec.defaultBackend, namespaceOf(ingress));

/** @param host in lower case, without a port @param path without its query */
export function routeOf({ hosts, wildcards, anyHost }: Routes, host: string, path: string): Backend | undefined {
  const own = hosts.get(host);
  const wild = wildcards.size > 0 ? wildcards.get(afterFirstLabel(host)) : undefined;
  return (
    (own && onPath(own, path)) ??
    (wild && onPath(wild, path)) ??
    onPath(anyHost, path) ??
    own?.fallback ??
    wild?.fallback ??
    anyHost.fallback
  );
}

/** What a wildcard of this host would have behind its `*.`; a text that no host is when it has one label alone. */
export function afterFirstLabel(host: string): string {
  const dot = host.indexOf('.');
  return dot > 0 ? host.slice(dot + 1) : ' ';
}

/** The longest path wins, and among equals the exact one. */
function onPath({ exact, prefix, longest }: Paths, path: string): Backend | undefined {
  const found = exact.get(path);
  if (found || prefix.size === 0) return found;
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const backend = end <= longest ? prefix.get(path.slice(0, end)) : undefined;
    if (backend) return backend;
  }
  return prefix.get('');
}
