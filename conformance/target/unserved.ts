import type { Json, Send } from '../verbs/client.ts';
import { groupPath, kindPaths } from '../verbs/kinds.ts';

const later = [
  ['/apis/autoscaling/v2', 'horizontalpodautoscalers'],
  ['/apis/batch/v1', 'cronjobs'],
  ['/apis/policy/v1', 'poddisruptionbudgets'],
  ['/apis/storage.k8s.io/v1', 'storageclasses'],
] as const;

/** Kinds that rules are judged with: not every server has them all, as versions of groups come and go. */
const wanted = [...Object.values(kindPaths).map((kind) => [groupPath(kind), kind.resource] as const), ...later].filter(
  ([root]) => root !== '/api/v1',
);

/** Paths of the collections that a server does not have, by its own account. */
export async function unservedKinds(send: Send): Promise<readonly string[]> {
  const roots = [...new Set(wanted.map(([root]) => root))];
  const served = new Map(await Promise.all(roots.map(async (root) => [root, await resourcesAt(send, root)] as const)));
  return wanted.flatMap(([root, resource]) =>
    served.get(root)?.includes(resource) === false ? [`${root}/${resource}`] : [],
  );
}

/** The resources of a version of a group; undefined where the answer does not tell. */
async function resourcesAt(send: Send, root: string): Promise<readonly string[] | undefined> {
  const answer = await send('GET', root).catch(() => undefined);
  if (answer?.status === 404) return [];
  const { status, body } = answer ?? {};
  return status === 200 && Array.isArray(body?.resources) ? body.resources.map(({ name }: Json) => name) : undefined;
}
