import type { Json } from '../../verbs/client.ts';

/**
 * Lists of groups and paths without custom types, of which other work and other people have theirs on one server alone,
 * and without what each server does after its start.
 */
export function commonPaths({ groups, paths, ...rest }: Json): Json {
  const isBuiltIn = (path: string): boolean => {
    if (path.includes('/poststarthook/')) return false;
    const group = /(?:^|\/)apis\/([^/]+)/.exec(path)?.[1] ?? '';
    return !group.includes('.') || group.endsWith('.k8s.io');
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
