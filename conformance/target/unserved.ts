import type { Answer, Json, Send } from '../verbs/client.ts';
import { coreRoot, groupPath, kindPaths } from '../verbs/kinds.ts';

/** Where the kinds are that rules speak of. */
const places = Object.values(kindPaths).map((kind) => ({ root: groupPath(kind), resource: kind.resource }));

/** Not every server has them all, as versions of groups come and go. */
const wanted = places.filter(({ root }) => root !== coreRoot);

/** Paths of the collections that a server does not have, by its own account. */
export async function unservedKinds(send: Send): Promise<readonly string[]> {
  const roots = [...new Set(wanted.map(({ root }) => root))];
  const served = new Map(await Promise.all(roots.map(async (root) => [root, await resourcesAt(send, root)] as const)));
  return wanted.flatMap(({ root, resource }) =>
    served.get(root)?.includes(resource) === false ? [`${root}/${resource}`] : [],
  );
}

/**
 * Paths of all collections of the core group where a server has nothing of that, by its own account, and has other
 * groups: one that is meant to stand behind another. Of who has some of the group, all of it is asked.
 */
export async function unservedCore(send: Send): Promise<readonly string[]> {
  const looks = [coreRoot, `${coreRoot}/namespaces?limit=1`, '/apis'];
  const [core, namespaces, groups] = await Promise.all(looks.map((path) => send('GET', path).catch(() => undefined)));
  if (core?.status !== 404 || namespaces?.status !== 404 || !listsGroups(groups)) return [];
  return places.filter(({ root }) => root === coreRoot).map(({ root, resource }) => `${root}/${resource}`);
}

/** Whether an answer at `/apis` tells of any group. */
export const listsGroups = (answer: Answer | undefined): boolean =>
  answer?.status === 200 && Array.isArray(answer.body?.groups) && answer.body.groups.length > 0;

/** The resources of a version of a group; undefined where the answer does not tell. */
async function resourcesAt(send: Send, root: string): Promise<readonly string[] | undefined> {
  const answer = await send('GET', root).catch(() => undefined);
  if (answer?.status === 404) return [];
  const { status, body } = answer ?? {};
  const names = Array.isArray(body?.resources) ? body.resources.map((resource: Json) => resource?.name) : [undefined];
  return status === 200 && !names.includes(undefined) ? names : undefined;
}
