import { lazily } from '../base/caches/memo.ts';
import type { Json, ObjectMeta } from '../base/kube-object.ts';
import { StructureCompiler } from './compile.ts';
import { importedData } from './data.ts';
import type { Definition } from './definition.ts';
import type { StructType, Structure } from './structure.ts';

/** One built-in resource as discovery lists it. */
export interface BuiltInResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Sorted; a virtual kind such as `tokenreviews` has only `create`. */
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly singularName: string;
  readonly subresources: readonly BuiltInSubresource[];
}

export interface BuiltInSubresource {
  /** `status`, `scale`, …; without the resource. */
  readonly name: string;
  readonly kind: string;
  /** Only where the kind is of another group or version than the resource (`pods/eviction`). */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

export interface ApiGroup {
  readonly name: string;
  /** Preferred version first. */
  readonly versions: readonly string[];
  readonly preferredVersion: string;
}

export interface ProtobufField {
  readonly name: string;
  readonly number: number;
  /** A scalar type, `map<key,value>`, or the full name of a message. */
  readonly type: string;
  readonly repeated: boolean;
}

/** An object without kind and apiVersion. */
export interface BootstrapObject {
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** Who set what of the bootstrap objects: the number of a set of fields for each of them, in their order. */
export interface BootstrapFields {
  readonly sets: readonly { [element: string]: Json }[];
  readonly of: Readonly<Record<string, readonly number[]>>;
  /** Who keeps up those of a path, where that is not the server as such. */
  readonly managers: Readonly<Record<string, string>>;
}

/** What one operation of the API accepts and answers, as OpenAPI lists it. */
export interface ApiOperation {
  /** `get`, `list`, `post`, `put`, `patch`, `delete`, `deletecollection`, `watch`, `connect`; null for documents. */
  readonly action: string | null;
  readonly gvk: { readonly group: string; readonly version: string; readonly kind: string } | null;
  /** Of what a list is answered with. Default: the kind and `List`. */
  readonly listKind?: string;
  readonly consumes: readonly string[] | null;
  readonly produces: readonly string[] | null;
  /** Names of the parameters, `body` among them. */
  readonly parameters: readonly string[];
  /** Status codes. */
  readonly responses: readonly string[];
}

interface DiscoveryEntry {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly singularName: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly group?: string;
  readonly version?: string;
}

interface DiscoveryDocument {
  readonly groups?: readonly {
    readonly name: string;
    readonly versions: readonly { readonly version: string }[];
    readonly preferredVersion: { readonly version: string };
  }[];
  readonly groupVersion?: string;
  readonly resources?: readonly DiscoveryEntry[];
}

/** All definitions by name, as imported. */
export const definitions = () => importedData<Readonly<Record<string, Definition>>>('definitions');

const compiler = lazily(() => new StructureCompiler(definitions()));

const definitionsOfKinds = lazily(() => {
  const names = new Map<string, string>();
  for (const [name, definition] of Object.entries(definitions())) {
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
      names.set(`${group}/${version}/${kind}`, name);
    }
  }
  return names;
});

/** The structure of a definition such as `io.k8s.api.core.v1.Pod`; undefined for an unknown name. */
export const structureOf = (definitionName: string): Structure | undefined => compiler().structureOf(definitionName);

/** The name of the definition of a built-in kind (lists and options have one as well). */
export const definitionOfKind = (group: string, version: string, kind: string): string | undefined =>
  definitionsOfKinds().get(`${group}/${version}/${kind}`);

/** The structure of a built-in kind; undefined for kinds without a schema, such as PodExecOptions. */
export function structureOfKind(group: string, version: string, kind: string): StructType | undefined {
  const name = definitionOfKind(group, version, kind);
  const structure = name === undefined ? undefined : structureOf(name);
  return structure?.type === 'struct' ? structure : undefined;
}

const subresourceOf = (entry: DiscoveryEntry): BuiltInSubresource => ({
  name: entry.name.slice(entry.name.indexOf('/') + 1),
  kind: entry.kind,
  ...(entry.version && { group: entry.group ?? '', version: entry.version }),
  verbs: entry.verbs,
});

function resourcesOf(group: string, version: string, entries: readonly DiscoveryEntry[]): BuiltInResource[] {
  const below = Map.groupBy(entries, ({ name }) => name.split('/', 1)[0]);
  return entries
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs, singularName, shortNames = [], categories = [] }) => ({
      group,
      version,
      resource: name,
      kind,
      namespaced,
      verbs,
      shortNames,
      categories,
      singularName,
      subresources: (below.get(name) ?? []).filter((entry) => entry.name !== name).map(subresourceOf),
    }));
}

const discovery = () => importedData<Readonly<Record<string, DiscoveryDocument>>>('discovery');

/** The groups besides the core group, in the order of discovery. */
export const apiGroups: () => readonly ApiGroup[] = lazily(() =>
  (discovery()['/apis']?.groups ?? []).map(({ name, versions, preferredVersion }) => ({
    name,
    versions: versions.map(({ version }) => version),
    preferredVersion: preferredVersion.version,
  })),
);

/** Every built-in resource: the core group first, then by the order of groups and versions; sorted by plural within. */
export const builtInResources: () => readonly BuiltInResource[] = lazily(() => [
  ...resourcesOf('', 'v1', discovery()['/api/v1']?.resources ?? []),
  ...apiGroups().flatMap(({ name, versions }) =>
    versions.flatMap((version) => resourcesOf(name, version, discovery()[`/apis/${name}/${version}`]?.resources ?? [])),
  ),
]);

/** All protobuf messages by full name, such as `k8s.io.api.core.v1.Pod`. */
export const protobufMessages: () => ReadonlyMap<string, readonly ProtobufField[]> = lazily(() => {
  const imported = importedData<Record<string, [string, number, string, 0 | 1][]>>('protobuf');
  return new Map(
    Object.entries(imported).map(([message, fields]) => [
      message,
      fields.map(([name, number, type, repeated]) => ({ name, number, type, repeated: repeated === 1 })),
    ]),
  );
});

/** The name of the protobuf message of a definition: `io.k8s.api.core.v1.Pod` is `k8s.io.api.core.v1.Pod`. */
export const protobufNameOf = (definitionName: string): string =>
  definitionName.replace(/^io\.k8s\./, 'k8s.io.').replaceAll('-', '_');

/** What exists in a fresh cluster, by the path of its collection: without system fields. */
export const bootstrapObjects = () => importedData<Readonly<Record<string, readonly BootstrapObject[]>>>('bootstrap');

/** What `bootstrapObjects()[path][index]` is booked with in managedFields, and for whom: missing is the server. */
export function bootstrapFieldsOf(path: string, index: number) {
  const { sets, of, managers } = importedData<BootstrapFields>('bootstrap-fields');
  const fields = sets[of[path]?.[index] ?? -1];
  return fields && { fields, manager: managers[path] };
}

/** The operations of each path, by HTTP method in lower case. */
export const apiOperations: () => Readonly<Record<string, Readonly<Record<string, ApiOperation>>>> = lazily(() => {
  const { forms, paths } = importedData<{
    forms: readonly Omit<ApiOperation, 'gvk'>[];
    paths: Record<string, Record<string, [number, ApiOperation['gvk']]>>;
  }>('operations');
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, [form, gvk]]) => [method, { ...forms[form], gvk } as ApiOperation]),
      ),
    ]),
  );
});
