import type { Expect } from '../../assertions.ts';
import type { Collection } from '../../verbs/collection.ts';
import { nameOf } from '../../verbs/states.ts';

const own = 'example.com/one';

/** What keeps an object besides its own finalizer once it is deleted by a policy; without one as it was. */
const keeping: Readonly<Record<string, readonly string[] | undefined>> = {
  Orphan: ['orphan'],
  Foreground: ['foregroundDeletion'],
  Background: [],
  '': undefined,
};

/**
 * A delete leaves of the finalizers that stand for a policy the one of its own, whichever were there. It is only tried:
 * the garbage collector would be quicker than we.
 */
export async function triesPolicies(objects: Collection, expect: Expect): Promise<void> {
  const name = nameOf(await objects.create({ metadata: { finalizers: [own] } }));
  for (const before of [['orphan'], ['foregroundDeletion']]) {
    await objects.merge(name, { metadata: { finalizers: [own, ...before] } });
    for (const [policy, kept = before] of Object.entries(keeping)) {
      const query = { dryRun: 'All', ...(policy && { propagationPolicy: policy }) };
      const { metadata } = await objects.remove(name, { query });
      expect(metadata.finalizers, `${before}, after a delete by ${policy || 'no policy'}`).toEqual([own, ...kept]);
    }
  }
  await objects.merge(name, { metadata: { finalizers: null } });
}
