import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { nameOf } from '../../verbs/states.ts';
import { untilStatus } from '../../verbs/until-status.ts';

const hold = { finalizers: ['example.com/hold'] };

/** A reference to an owner; whether it is to wait for the dependent is for the reference to say. */
const ownedBy = ({ apiVersion, kind, metadata: { name, uid } }: Json, more: Json = {}): Json => ({
  ...{ apiVersion, kind, name, uid },
  ...more,
});

const owned = (secrets: Collection, ownerReferences: readonly Json[], metadata: Json = {}): Promise<Json> =>
  secrets.create({ metadata: { ...metadata, ownerReferences } });

const remove = (secrets: Collection, object: Json, propagationPolicy: string): Promise<unknown> =>
  secrets.remove(nameOf(object), { query: { propagationPolicy } });

const untilGone = (context: RuleContext, object: Json, what: string): Promise<unknown> =>
  untilStatus(context, what, 404, () => context.secrets.get(nameOf(object)));

const untilOwnedBy = (
  { secrets, waitUntil, longPatience }: RuleContext,
  object: Json,
  owners: readonly Json[],
  what: string,
): Promise<unknown> =>
  waitUntil(
    what,
    async () => (await secrets.read(nameOf(object))).metadata.ownerReferences ?? [],
    (seen) => seen.map(({ uid }: Json) => uid).join() === owners.map(({ metadata }) => metadata.uid).join(),
    { limit: longPatience },
  );

/** Owners of no namespace count for dependents in one; of two of one name the reference means that of its uid. */
export async function knowsOwners(context: RuleContext): Promise<void> {
  const { secrets, clusterRoles, extraNamespace } = context;
  const owner = await clusterRoles.create();
  const beneath = await owned(secrets, [ownedBy(owner)]);
  const living = await secrets.create();
  const mistaken = await owned(secrets, [{ ...ownedBy(living), uid: '00000000-0000-4000-8000-000000000000' }]);
  const right = await owned(secrets, [ownedBy(living)]);
  const elsewhere = secrets.in(await extraNamespace());
  const stranger = await elsewhere.create();
  const strayed = await owned(secrets, [ownedBy(stranger)]);
  await untilGone(context, strayed, 'whose owner is in another namespace is gone');
  context.expect((await elsewhere.get(nameOf(stranger))).status, 'who is in another namespace').toBe(200);
  await untilGone(context, mistaken, 'whose owner has another uid is gone');
  await clusterRoles.remove(nameOf(owner), { query: { propagationPolicy: 'Background' } });
  await untilGone(context, beneath, 'what an object of no namespace owned is gone');
  context.expect((await secrets.get(nameOf(right))).status, 'whose owner lives').toBe(200);
}

/** Objects of custom types are collected as all others; a collector may take half a minute to hear of a new type. */
export async function collectsCustom(context: RuleContext): Promise<void> {
  const { secrets, longPatience } = context;
  const things = await customType(context, {});
  const owner = await secrets.create();
  const { metadata } = await things.create({ metadata: { ownerReferences: [ownedBy(owner)] } });
  await remove(secrets, owner, 'Background');
  const look = () => things.get(metadata.name);
  await untilStatus(context, 'the custom object is gone', 404, look, 30_000 + longPatience);
}

/** What nobody owns any more goes; what has another owner stays, and forgets the one that is gone. */
export async function collectsDependents(context: RuleContext): Promise<void> {
  const { secrets } = context;
  const [first, second] = [await secrets.create(), await secrets.create()];
  const alone = await owned(secrets, [ownedBy(first)]);
  const shared = await owned(secrets, [ownedBy(first), ownedBy(second)]);
  await remove(secrets, first, 'Background');
  await untilGone(context, alone, 'what the first owned alone is gone');
  await untilOwnedBy(context, shared, [second], 'what both owned is left to the second');
  await remove(secrets, second, 'Background');
  await untilGone(context, shared, 'what the second owned by then is gone');
}

/** An owner that goes in the foreground waits for those dependents that ask for it, and for no others. */
export async function waitsForDependents(context: RuleContext): Promise<void> {
  const { secrets, waitUntil, longPatience, expect } = context;
  const owner = await secrets.create();
  const awaited = await owned(secrets, [ownedBy(owner, { blockOwnerDeletion: true })], hold);
  const other = await owned(secrets, [ownedBy(owner)], hold);
  await remove(secrets, owner, 'Foreground');
  await waitUntil(
    'the dependent is to go',
    async () => (await secrets.read(nameOf(awaited))).metadata.deletionTimestamp,
    Boolean,
    { limit: longPatience },
  );
  expect((await secrets.get(nameOf(owner))).status, 'the owner, before its dependent is gone').toBe(200);
  await secrets.merge(nameOf(awaited), { metadata: { finalizers: null } });
  await untilGone(context, owner, 'the owner is gone');
  expect((await secrets.get(nameOf(other))).status, 'a dependent that nobody waits for').toBe(200);
  await waitsForNoShared(context);
}

/** Who has another owner as well does not go: it is left to that one, and nobody waits for it. */
async function waitsForNoShared(context: RuleContext): Promise<void> {
  const { secrets } = context;
  const [owner, second] = [await secrets.create(), await secrets.create()];
  const shared = await owned(secrets, [ownedBy(owner, { blockOwnerDeletion: true }), ownedBy(second)]);
  await remove(secrets, owner, 'Foreground');
  await untilGone(context, owner, 'the owner of what has another one is gone');
  await untilOwnedBy(context, shared, [second], 'what both owned is left to the second');
}

/** An owner that leaves orphans goes alone, and they belong to nobody. */
export async function leavesDependents(context: RuleContext): Promise<void> {
  const { secrets } = context;
  const owner = await secrets.create();
  const dependents = [await owned(secrets, [ownedBy(owner)]), await owned(secrets, [ownedBy(owner)])];
  await remove(secrets, owner, 'Orphan');
  await untilGone(context, owner, 'the owner is gone');
  for (const dependent of dependents) await untilOwnedBy(context, dependent, [], 'the dependent has no owner');
}
