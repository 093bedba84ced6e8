import { Skipped } from '../../verbs/breach.ts';
import type { Answer } from '../../verbs/client.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';

/** A class of priority of which every cluster has one. */
export const urgent = 'system-cluster-critical';

export const urgently = { priorityClassName: urgent };

/**
 * A cluster may give each pod a class of priority, or keep the urgent ones for pods of its own.
 * @param rehearsed tries a pod with this spec, before anything of the rule's own is in its way
 * @throws Skipped where pods are not told apart by the classes that they name
 */
export async function needsClasses(rehearsed: (spec: Json) => Promise<Answer>): Promise<void> {
  if ((await rehearsed({})).body?.spec?.priorityClassName) throw new Skipped('each pod is given a class of priority');
  const answer = await rehearsed(urgently);
  if (answer.status === 403) throw new Skipped(`no pod may be of the class ${urgent}: ${said(answer)}`);
}
