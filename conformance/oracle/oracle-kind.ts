import type { Json, Send } from '../verbs/client.ts';
import { pathOf, servedResources, servedVersions } from '../verbs/discovery.ts';

export interface Subresource {
  readonly name: string;
  readonly verbs: readonly string[];
}

/** A kind that both servers serve. */
export interface OracleKind {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
}

export const apiVersionOf = ({ group, version }: Pick<OracleKind, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

export const groupVersionPath = (kind: OracleKind): string => pathOf(apiVersionOf(kind));

/** Whether it is one of the kinds that were defined for this run. */
export const isCustom = ({ group }: OracleKind): boolean => group.endsWith('.touchstone.example');

/** What this kind is counted by: `jobs`, and `events.events.k8s.io` where the core group has one of that name. */
export const labelOf = (kind: OracleKind): string =>
  kind.group === '' ? kind.resource : `${kind.resource}.${kind.version}.${isCustom(kind) ? 'custom' : kind.group}`;

/** The kinds of a server, as its discovery tells of them. */
export async function kindsOf(send: Send): Promise<OracleKind[]> {
  const versions = await servedVersions(send);
  const all = await Promise.all(versions.map((groupVersion) => servedResources(send, groupVersion)));
  return all.flatMap((resources, at) => kindsIn(versions[at] as string, resources));
}

function kindsIn(groupVersion: string, resources: readonly Json[]): OracleKind[] {
  const [group, version] = groupVersion.includes('/')
    ? (groupVersion.split('/') as [string, string])
    : ['', groupVersion];
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs }) => ({
      group,
      version,
      resource: name,
      kind,
      namespaced,
      verbs,
      subresources: resources
        .filter((other) => other.name.startsWith(`${name}/`))
        .map((other) => ({ name: other.name.slice(name.length + 1), verbs: other.verbs })),
    }));
}

const keyOf = (kind: OracleKind): string => `${apiVersionOf(kind)} ${kind.resource}`;

/** What both serve, with the subresources of either: one that only one has is a difference worth finding. */
export function sharedKinds(judged: readonly OracleKind[], other: readonly OracleKind[]): OracleKind[] {
  const served = new Map(judged.map((kind) => [keyOf(kind), kind]));
  return other.filter((kind) => served.has(keyOf(kind)));
}
