import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';

const nodes = { spec: { template: { spec: { nodeSelector: { a: 'b' } } } } };
const startTime = '2024-05-06T07:08:09Z';

/** A job that waits may be sent to other nodes, but not once it began. */
export async function staysWhereItBegan({ jobs, expect }: RuleContext): Promise<void> {
  const { metadata } = await jobs.create({ spec: { suspend: true } });
  const moved = async (query: Json = { dryRun: 'All' }) => (await jobs.patch(metadata.name, nodes, { query })).status;
  expect(await moved(), 'before it began').toBe(200);
  const begun = await jobs.patch(metadata.name, { status: { startTime } }, { sub: 'status' });
  expect(begun.status, begun.body?.message).toBe(200);
  const seen = [await moved(), await moved({})];
  const after = await jobs.read(metadata.name);
  // A controller may say that it did not begin after all.
  if (after.status?.startTime !== startTime) return;
  expect(seen, 'once it began').toEqual([422, 422]);
  expect(after.spec.template.spec.nodeSelector, 'what is stored').toBeUndefined();
}
