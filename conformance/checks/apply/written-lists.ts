import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import type { Subject } from '../../verbs/subjects.ts';
import { unversioned } from '../requests/writes.ts';
import { owns } from './managed-fields.ts';

const uid = '00000000-0000-4000-8000-000000000001';
const held = (...finalizers: readonly string[]): Json => ({ metadata: { finalizers } });
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid };
const [one, two] = ['example.com/one', 'example.com/two'] as const;
const finalizer = (name: string) => ['f:metadata', 'f:finalizers', `v:"${name}"`] as const;
const reference = ['f:metadata', 'f:ownerReferences', `k:{"uid":"${uid}"}`] as const;

/** Who writes a list without applying owns each element that he wrote, and none that was there. */
export async function ownsElements(
  { objects, expect }: Pick<RuleContext, 'expect'> & { readonly objects: Collection },
  kind: Subject,
  stored: Json,
): Promise<void> {
  const query = { dryRun: 'All', fieldManager: 'lister' };
  const listed = merged(held(one, two), { metadata: { ownerReferences: [owner] } });
  const made = await objects.post(merged(await objects.draft(), listed), query);
  expect(made.status, `an object with lists: ${said(made)}`).toBe(201);
  for (const steps of [finalizer(one), finalizer(two), reference])
    expect(owns(made.body, 'lister', ...steps), `of a new object: ${steps.at(-1)}`).toBe(true);
  const before = stored.metadata.finalizers ?? [];
  const more = held(...before, two);
  const writes = {
    update: await objects.put(merged(unversioned(kind, stored), more), query),
    patch: await objects.patch(nameOf(stored), more, { query }),
  };
  for (const [write, answer] of Object.entries(writes)) {
    expect(answer.status, `${write}: ${said(answer)}`).toBe(200);
    expect(owns(answer.body, 'lister', ...finalizer(two)), `by a ${write}, what is new`).toBe(true);
    for (const old of before)
      expect(owns(answer.body, 'lister', ...finalizer(old)), `by a ${write}, what was there`).toBe(false);
  }
}
