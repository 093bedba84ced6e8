import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import { holds, nameOf } from '../../verbs/states.ts';
import { untilStatus } from '../../verbs/until-status.ts';
import { unlessBehind } from './leaving-namespaces.ts';

/** Of somebody who is no controller of the cluster. */
const own = ['touchstone.example/hold'];

/** Who holds what is in it. */
const holders = ['example.com/hold', 'example.com/keep'] as const;

/** Of all that is left it tells who holds it, and of nobody else. */
const isHeldBy =
  (...wanted: readonly string[]) =>
  (object: Json): boolean => {
    const told = JSON.stringify(object.status?.conditions ?? []);
    return (
      holds('NamespaceFinalizersRemaining')(object) &&
      holders.every((holder) => told.includes(holder) === wanted.includes(holder))
    );
  };

/** Nothing of it is left any more, and it says so. */
const isEmptied = (object: Json): boolean =>
  object?.spec?.finalizers?.join() === own.join() &&
  ['NamespaceContentRemaining', 'NamespaceFinalizersRemaining'].every((type) => !holds(type)(object));

/** With a namespace goes all that is in it, of whatever kind, and it waits for what is held. */
export async function emptiesNamespace(context: RuleContext): Promise<void> {
  const { namespaces, secrets, roles, leases, capabilities, waitUntil, longPatience, expect } = context;
  const limit = longPatience;
  const untilGone = (objects: Collection, name: string): Promise<unknown> =>
    untilStatus(context, `the ${objects.at.kind} is gone`, 404, () => objects.get(name));
  const kinds = [secrets, roles, leases, ...(capabilities.includes('crd') ? [await customType(context, {})] : [])];
  const place = nameOf(await namespaces.create({ spec: { finalizers: own } }));
  const content: (readonly [Collection, string])[] = [];
  for (const kind of kinds) content.push([kind.in(place), nameOf(await kind.in(place).create())]);
  const within = secrets.in(place);
  const [first, second] = await Promise.all(
    holders.map(async (holder) => nameOf(await within.create({ metadata: { finalizers: [holder] } }))),
  );
  const letGo = (name = ''): Promise<Json> => within.merge(name, { metadata: { finalizers: null } });
  const look = async () => (await namespaces.get(place)).body;
  const begins = async (isOver: () => boolean) => {
    await namespaces.delete(place);
    const isTold = holds('NamespaceContentRemaining');
    await waitUntil('the namespace tells that something is left', look, isTold, { limit, isOver });
  };
  const isUntouched = async () => {
    const statuses = await Promise.all(content.map(async ([objects, name]) => (await objects.get(name)).status));
    return statuses.every((status) => status === 200);
  };
  await unlessBehind(context, begins, isUntouched);
  for (const [objects, name] of content) await untilGone(objects, name);
  const heldByBoth = isHeldBy(...holders);
  const told = await waitUntil('the namespace tells which finalizers hold what is left', look, heldByBoth, { limit });
  for (const { type, ...condition } of told.status.conditions)
    for (const field of ['reason', 'message', 'lastTransitionTime'])
      expect(condition[field], `the ${field} of ${type}`).toMatch(/./);
  await letGo(second);
  const heldByFirst = isHeldBy(holders[0]);
  await waitUntil('the namespace tells which of them holds what is left', look, heldByFirst, { limit: limit * 2 });
  await letGo(first);
  const emptied = await waitUntil('the namespace waits for who else holds it', look, isEmptied, { limit: limit * 2 });
  const { resourceVersion: _, ...metadata } = emptied.metadata;
  await namespaces.put({ ...emptied, metadata, spec: { finalizers: [] } }, '', { sub: 'finalize' });
  await untilGone(namespaces, place);
}
