import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import { said } from '../../verbs/said.ts';

const query = { dryRun: 'All' };

/** A definition is an object like any other to who tries to change or to delete it: its type stays what it was. */
export async function triesDefinition(context: RuleContext): Promise<void> {
  const { definitions, expect } = context;
  const things = await customType(context, {});
  const kept = await things.create();
  const name = `${things.at.resource}.${things.at.group}`;
  const labels = { 'example.com/tried': 'yes' };
  const changed = await definitions.patch(name, { metadata: { labels } }, { query });
  expect(changed.status, `a tried change of a definition: ${said(changed)}`).toBe(200);
  const deleted = await definitions.delete(name, { query });
  expect(deleted.status, `a tried delete of a definition: ${said(deleted)}`).toBe(200);
  const { status, body } = await definitions.get(name);
  expect(status, 'after a tried delete').toBe(200);
  expect(body.metadata.labels ?? {}, 'of a tried change').not.toHaveProperty(['example.com/tried']);
  expect(body.metadata.deletionTimestamp, 'of a tried delete').toBeUndefined();
  expect((await things.read(kept.metadata.name)).metadata.uid, 'an object of the type').toBe(kept.metadata.uid);
}
