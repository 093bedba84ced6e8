import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import { runLabel } from '../../verbs/guest/permit.ts';
import { nameOf, namesOf, versionOf } from '../../verbs/states.ts';

/** Of these Kubernetes releases it is known (CVE-2022-3162). */
const mixesThem = /^v1\.(?:2[0-2]\.\d+|23\.(?:\d|1[0-3])|24\.[0-7]|25\.[0-3])$/;

/** Who lists, watches or deletes all of a type has nothing to do with another whose name begins with that of the first. */
export async function keepsTypesApart(context: RuleContext, scope: 'Namespaced' | 'Cluster'): Promise<void> {
  const { capabilities, version, expect } = context;
  if (!capabilities.includes('crd') || mixesThem.test(version)) return;
  const things = await customType(context, { scope });
  const others = await customType(context, { scope, like: things });
  const all = things.viewed('everywhere');
  const made = [nameOf(await things.create())];
  const later = await all.watch({ resourceVersion: versionOf(await all.list()) });
  const other = nameOf(await others.create());
  expect((await all.list({ limit: 1 })).metadata.continue ?? '', 'behind a page of the one type').toBe('');
  expect(namesOf(await all.list()), 'a list of the one type').toEqual(made);
  const fresh = await all.watch();
  for (const _ of ['next', 'last']) made.push(nameOf(await things.create()));
  expect(
    (await later.take(2)).map(({ object }) => nameOf(object)),
    'a watch of changes',
  ).toEqual(made.slice(1));
  const told = (await fresh.take(3)).map(({ object }) => nameOf(object));
  expect(told.sort(), 'a watch of all').toEqual(made.toSorted());
  // Objects of both bear the label, without which no run may delete all that is in no namespace of its own.
  await things.deleteAll({ query: { labelSelector: runLabel } });
  expect((await others.get(other)).status, 'when all of the one type are deleted').toBe(200);
}
