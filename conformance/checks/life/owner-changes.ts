import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { changeOf, type Subject } from '../../verbs/subjects.ts';
import type { Write } from '../requests/writes.ts';

/** An owner that comes or goes alone is a change of an object that has all else already. */
export async function changesOwners(
  objects: Collection,
  expect: RuleContext['expect'],
  { kind, write, name }: { readonly kind: Subject; readonly write: Write; readonly name: string },
): Promise<void> {
  if (!kind.owns) return;
  const { apiVersion, kind: type, metadata } = await objects.create();
  const reference = { apiVersion, kind: type, name: metadata.name, uid: metadata.uid };
  const owned = async (ownerReferences: readonly Json[], what: string): Promise<void> => {
    const changed = { ...kind, change: () => merged(changeOf(kind, 1), { metadata: { ownerReferences } }) };
    const answer = await write.send({ objects, object: await objects.read(name), kind: changed });
    expect(answer.status, `${what}: ${said(answer)}`).toBe(200);
    expect((await objects.read(name)).metadata.ownerReferences ?? [], what).toEqual(ownerReferences);
  };
  await owned([], 'what else is to change');
  await owned([reference], 'an owner');
  // An empty list is merged into others as nothing.
  if (!['strategic merge patch', 'apply'].includes(write.name)) await owned([], 'no owner any more');
}
