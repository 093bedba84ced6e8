import type { Json } from '../../verbs/client.ts';
import { sharedGroup } from '../../verbs/custom-types.ts';
import { isOwnGroup } from '../../verbs/discovery.ts';

const groupIn = (path: string): string => /(?:^|\/)apis\/([^/]+)/.exec(path)?.[1] ?? '';

/**
 * Lists of groups and paths without the custom types of others, which are on one server alone, and without what each
 * server does after its start.
 * @param isOurs whether the play speaks of a group; that of all rules comes and goes with what others do, too
 */
export function commonPaths({ groups, paths, ...rest }: Json, isOurs: (group: string) => boolean): Json {
  const isBuiltIn = (path: string): boolean => {
    if (path.includes('/poststarthook/')) return false;
    const group = groupIn(path);
    return isOwnGroup(group) || (group !== sharedGroup && isOurs(group));
  };
  const kept = Array.isArray(paths)
    ? paths.filter(isBuiltIn)
    : Object.fromEntries(Object.entries(paths ?? {}).filter(([path]) => isBuiltIn(path)));
  return {
    ...rest,
    ...(groups ? { groups: groups.filter(({ name }: Json) => isBuiltIn(`apis/${name}`)) } : {}),
    ...(paths ? { paths: kept } : {}),
  };
}

/** Of the schema of everything what it tells of the play's own types: each version of it tells the rest by itself. */
export function customSchemas({ definitions, paths, ...rest }: Json, isOurs: (group: string) => boolean): Json {
  const isKept = (group: string): boolean => !isOwnGroup(group) && isOurs(group);
  const only = (all: Json, groupOf: (name: string, entry: Json) => string): Json =>
    Object.fromEntries(Object.entries(all ?? {}).filter(([name, entry]) => isKept(groupOf(name, entry))));
  return {
    ...rest,
    definitions: only(definitions, (_, entry) => entry?.['x-kubernetes-group-version-kind']?.[0]?.group ?? ''),
    paths: only(paths, groupIn),
  };
}
