import { ApiError } from './api-error.ts';
import type { Client } from './client.ts';
import type { Resource } from './resources.ts';

/** A kind as the server says it serves it. */
export interface ServedResource extends Resource {
  readonly verbs: ReadonlySet<string>;
}

export interface Discovery {
  /** Each kind once, in the version that its group prefers. */
  readonly resources: readonly ServedResource[];
  /** Which groups could not be asked, and why. */
  readonly failures: readonly string[];
}

interface GroupList {
  readonly groups: readonly {
    readonly name: string;
    readonly versions: readonly { readonly groupVersion: string }[];
    readonly preferredVersion?: { readonly groupVersion: string };
  }[];
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

/** What the server serves now. A group that fails is told among the failures; the others still count. */
export async function discover(client: Client): Promise<Discovery> {
  const { groups } = await client.read<GroupList>('/apis');
  const failures: string[] = [];
  const perGroup = await Promise.all([
    resourcesOf(client, '', ['v1'], failures),
    ...groups.map(({ name, versions, preferredVersion }) => {
      const all = versions.map(({ groupVersion }) => groupVersion.slice(name.length + 1));
      const preferred = preferredVersion?.groupVersion.slice(name.length + 1);
      return resourcesOf(
        client,
        name,
        preferred ? [preferred, ...all.filter((each) => each !== preferred)] : all,
        failures,
      );
    }),
  ]);
  return { resources: perGroup.flat(), failures };
}

/**
 * A kind in the version by which somebody refers to it, for which one question does, or, where that version does not serve it,
 * in the one that its group prefers; undefined where none has it.
 */
export async function findKind(client: Client, apiVersion: string, kind: string): Promise<ServedResource | undefined> {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion || 'v1'];
  const named = (await resourcesOf(client, group, [version], [])).find((each) => each.kind === kind);
  if (named) return named;
  const { resources } = await discover(client);
  return resources.find((each) => each.group === group && each.kind === kind);
}

/** The kinds of a group, each in the first of these versions that has it. */
async function resourcesOf(client: Client, group: string, versions: readonly string[], failures: string[]) {
  const found = new Map<string, ServedResource>();
  for (const version of versions) {
    try {
      const { resources } = await client.read<ResourceList>(group ? `/apis/${group}/${version}` : `/api/${version}`);
      for (const { name: plural, kind, namespaced, verbs } of resources) {
        if (plural.includes('/') || found.has(plural)) continue;
        found.set(plural, { group, version, plural, kind, namespaced, verbs: new Set(verbs) });
      }
    } catch (error) {
      // A version that went between the two questions is no failure.
      if (error instanceof ApiError && error.code === 404) continue;
      failures.push(`${group ? `${group}/` : ''}${version}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return [...found.values()];
}
