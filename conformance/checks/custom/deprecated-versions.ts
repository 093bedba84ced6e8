import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import { nameOf } from '../../verbs/states.ts';
import { marking } from '../../verbs/subjects.ts';
import { warnings } from '../requests/spoilt-requests.ts';

const query = { dryRun: 'All' };

/** All that can be asked of a type, rehearsed where it would change something. */
const requests = (things: Collection, name: string): Readonly<Record<string, () => Promise<Answer>>> => ({
  get: () => things.get(name),
  list: () => things.getAll(),
  create: () => things.post(things.sample(), query),
  update: async () => things.put(await things.read(name), query),
  patch: () => things.patch(name, marking('one'), { query }),
  apply: () => things.tryApply(name, marking('two'), 'applier', query),
  delete: () => things.delete(name, { query }),
  deletecollection: () => things.viewed('labels').deleteAll({ query }),
});

/** Who asks for anything in a version that is to go is warned of it, and nobody else. */
export async function warnsOfDeprecated(context: RuleContext): Promise<void> {
  const { kind, expect } = context;
  const { at } = await customType(context, { version: { deprecated: true }, others: ['v2'], otherVersion: {} });
  for (const version of ['v1', 'v2']) {
    const things = kind({ ...at, version });
    const name = nameOf(await things.create());
    for (const [what, send] of Object.entries(requests(things, name))) {
      const answer = await send();
      expect(answer.status, `${what} in ${version}`).toBeLessThan(300);
      const isTold = warnings(answer).some((text) => text.includes('deprecated'));
      expect(isTold, `a warning of a ${what} in ${version}`).toBe(version === 'v1');
    }
  }
}
