import type { Json, Send } from '../verbs/client.ts';
import { groupPath, kindPaths } from '../verbs/kinds.ts';

/** Where the kinds are that rules speak of: not every server has them all, as versions of groups come and go. */
const wanted = Object.values(kindPaths)
  .filter(({ group }) => group !== '')
  .map((kind) => ({ root: groupPath(kind), resource: kind.resource }));

/** Paths of the collections that a server does not have, by its own account. */
export async function unservedKinds(send: Send): Promise<readonly string[]> {
  const roots = [...new Set(wanted.map(({ root }) => root))];
  const served = new Map(await Promise.all(roots.map(async (root) => [root, await resourcesAt(send, root)] as const)));
  return wanted.flatMap(({ root, resource }) =>
    served.get(root)?.includes(resource) === false ? [`${root}/${resource}`] : [],
  );
}

/** The resources of a version of a group; undefined where the answer does not tell. */
async function resourcesAt(send: Send, root: string): Promise<readonly string[] | undefined> {
  const answer = await send('GET', root).catch(() => undefined);
  if (answer?.status === 404) return [];
  const { status, body } = answer ?? {};
  const names = Array.isArray(body?.resources) ? body.resources.map((resource: Json) => resource?.name) : [undefined];
  return status === 200 && !names.includes(undefined) ? names : undefined;
}
