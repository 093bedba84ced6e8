import { Skipped } from '../../verbs/breach.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf } from '../../verbs/states.ts';

type Looking = Pick<RuleContext, 'namespaces' | 'patience'>;

/** The namespaces that are on their way out. */
const leaving = async ({ namespaces }: Looking): Promise<readonly string[]> =>
  (await namespaces.list()).items.filter(({ metadata }: Json) => metadata.deletionTimestamp).map(nameOf);

/**
 * Deletes a namespace and waits for what becomes of it. A controller may be quick enough, only not for all that are deleted
 * in a run: where it has not come to this one, and is still at work on those before it, nothing is said.
 * @param work is to wait no longer once it `isOver`: looks may take long, and the rule has an end
 * @param isUntouched whether nothing has been done about the namespace
 * @throws Skipped when it is behind
 */
export async function unlessBehind(
  context: Looking,
  work: (isOver: () => boolean) => Promise<unknown>,
  isUntouched: () => Promise<boolean>,
): Promise<void> {
  const before = await leaving(context);
  try {
    const end = performance.now() + context.patience * 9;
    await work(() => performance.now() > end);
  } catch (error) {
    const after = await leaving(context);
    const still = before.filter((name) => after.includes(name)).length;
    if (still > 0 && still < before.length && (await isUntouched()))
      throw new Skipped(`the namespace controller is ${still} namespaces behind`);
    throw error;
  }
}
