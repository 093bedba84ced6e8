import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { named, type Subject } from '../../verbs/subjects.ts';

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: 'none' };
/** Of the same uid, but not the same. */
const blocking = { ...owner, blockOwnerDeletion: true };
const other = { ...owner, name: 'other', uid: 'other' };

const given: readonly Json[] = [owner, other, owner, blocking, blocking];
const kept: readonly Json[] = [owner, other, blocking];

/** Kinds of either scope, built in and custom. */
export const ownedKinds = named('secrets', 'ingresses', 'clusterroles', 'widgets', 'gadgets');

/**
 * Who is told twice to own an object is one owner of it, whoever says so and how. It is only tried: what has owners that
 * are not there is taken away where somebody looks after that.
 */
export async function keepsOwnersOnce(context: RuleContext, kind: Subject): Promise<void> {
  const { expect } = context;
  const objects = await kind.open(context);
  const change = { metadata: { ownerReferences: given } };
  const object = await objects.create();
  const name = nameOf(object);
  const query = { dryRun: 'All' };
  const operation = { op: 'add', path: '/metadata/ownerReferences', value: given };
  const tries = {
    create: async () => objects.post(await objects.draft(change), query),
    update: () => objects.put(merged(object, change), query),
    'merge patch': () => objects.patch(name, change, { query }),
    'JSON patch': () => objects.patch(name, [operation], { type: 'json', query }),
  };
  for (const [what, send] of Object.entries(tries)) {
    const answer = await send();
    expect(answer.body?.metadata?.ownerReferences, `${what}: ${said(answer)}`).toEqual(kept);
  }
}
