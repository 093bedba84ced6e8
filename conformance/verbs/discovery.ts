import type { Json, Send } from './client.ts';

/** One resource type as discovery tells of it. */
export interface ServedResource {
  readonly groupVersion: string;
  readonly name: string;
  readonly kind: string;
  /** Where they are others than those that are asked. */
  readonly group?: string;
  readonly version?: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** Every group and version that is served, the core group as `v1`. */
export async function servedVersions(send: Send): Promise<string[]> {
  const { body } = await send('GET', '/apis');
  const named = (body?.groups ?? []).flatMap((group: Json) =>
    group.versions.map((version: Json) => version.groupVersion),
  );
  return ['v1', ...named];
}

const withDomain =
  'admissionregistration apiextensions apiregistration authentication authorization certificates coordination discovery ' +
  'events flowcontrol.apiserver internal.apiserver networking node rbac.authorization resource scheduling storage ' +
  'storagemigration';
const ownGroups: ReadonlySet<string> = new Set(withDomain.split(' ').map((name) => `${name}.k8s.io`));

/** Whether a group is of the server itself: many an extension is of the same domain, such as `metrics.k8s.io`. */
export const isOwnGroup = (group: string): boolean => !group.includes('.') || ownGroups.has(group);

/** Whether a version, or a group, is of the server itself; others come and go. */
export const isBuiltIn = (groupVersion: string): boolean => isOwnGroup(groupVersion.split('/')[0] ?? '');

export const pathOf = (groupVersion: string): string =>
  groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;

/** Every resource and subresource of a group and version. */
export async function servedResources(send: Send, groupVersion: string): Promise<ServedResource[]> {
  const { body } = await send('GET', pathOf(groupVersion));
  return (body?.resources ?? []).map((resource: Json) => ({ ...resource, groupVersion }));
}

/** What below an object is of another group than that says so. */
export const typeOf = ({ groupVersion, group = '', version, kind }: ServedResource): string =>
  `${version ? `${group}/${version}` : groupVersion.replace(/^v1$/, '/v1')}/${kind}`;

/** The published schema, as version 2 of OpenAPI. */
export const publishedSchema = async (send: Send): Promise<Json> =>
  (await send('GET', '/openapi/v2', { headers: { accept: 'application/json' } })).body;

/** Each kind in a published schema, with its group and version. */
export function describedKinds(schema: Json): ReadonlySet<string> {
  const named = Object.values<Json>(schema?.definitions ?? {}).flatMap(
    (definition) => definition['x-kubernetes-group-version-kind'] ?? [],
  );
  return new Set(named.map(({ group, version, kind }: Json) => `${group}/${version}/${kind}`));
}
