import type { Answer } from './client.ts';
import type { RuleContext } from './context.ts';
import type { Json } from './json.ts';
import { run, unscheduled } from './node-play.ts';
import { nameOf } from './states.ts';

/** A budget that has what it needs, and no more. */
const scarce = { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0, expectedPods: 2 };
/** One that can do without one of two. */
const spare = { ...scarce, currentHealthy: 2, disruptionsAllowed: 1 };

const needing = (app: string): Json => ({ minAvailable: 1, selector: { matchLabels: { app } } });

/** Until it is counted what a budget has. */
async function untilCounted(context: RuleContext, { metadata }: Json, counted: Json): Promise<void> {
  const { podDisruptionBudgets, capabilities, waitUntil, patience } = context;
  const isCounted = ({ status = {} }: Json): boolean =>
    status.observedGeneration === metadata.generation &&
    Object.entries(counted).every(([field, value]) => status[field] === value);
  // Where no controller counts, we do.
  if (!capabilities.includes('controllers')) {
    const status = { ...counted, observedGeneration: metadata.generation };
    await podDisruptionBudgets.merge(metadata.name, { status }, 'status');
  }
  await waitUntil('the budget counts', () => podDisruptionBudgets.read(metadata.name), isCounted, {
    limit: patience * 8,
  });
}

const evicting =
  ({ pods }: RuleContext) =>
  (name: string): Promise<Answer> =>
    pods.postTo(name, 'eviction', { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });

/** Whoever is not ready is evicted though no disruption is allowed, as long as enough others are; who is ready is not. */
export async function sparesBudget(context: RuleContext): Promise<void> {
  const { pods, podDisruptionBudgets, unique, expect } = context;
  const app = unique('app');
  const [healthy, other] = [true, false].map(async (ready) => {
    const pod = await pods.create({ metadata: { labels: { app } }, spec: unscheduled });
    return run(context, pod, { ready });
  });
  const [well, ill] = [await healthy, await other].map(nameOf) as [string, string];
  await untilCounted(context, await podDisruptionBudgets.create({ spec: needing(app) }), scarce);
  const evict = evicting(context);
  expect((await evict(well)).status, 'of a pod that is needed').toBe(429);
  expect((await pods.read(well)).metadata.deletionTimestamp, 'of a pod that is needed').toBeUndefined();
  const answer = await evict(ill);
  expect(answer.status, `of a pod that is not ready: ${answer.body?.message ?? ''}`).toBe(201);
}

/** What is allowed of a budget is spent; who is going costs nothing, and what was counted for another budget is nothing. */
export async function spendsBudget(context: RuleContext): Promise<void> {
  const { pods, podDisruptionBudgets, unique, expect } = context;
  const app = unique('app');
  const metadata = { labels: { app }, finalizers: ['example.com/one'] };
  const made = await Promise.all([1, 2].map(() => pods.create({ metadata, spec: unscheduled })));
  for (const pod of made) await run(context, pod);
  const [first, second] = made.map(nameOf) as [string, string];
  const budget = nameOf(await podDisruptionBudgets.create({ spec: needing(app) }));
  await untilCounted(context, await podDisruptionBudgets.read(budget), spare);
  const evict = evicting(context);
  await podDisruptionBudgets.merge(budget, { spec: { minAvailable: 2 } });
  expect((await evict(first)).status, 'of a pod that is needed by now').toBe(429);
  await podDisruptionBudgets.merge(budget, { spec: { minAvailable: 1 } });
  await untilCounted(context, await podDisruptionBudgets.read(budget), spare);
  for (const [name, what, expected] of [
    [first, 'of one of two', 201],
    [second, 'of the other', 429],
    [first, 'of what is going', 201],
  ] as const)
    expect((await evict(name)).status, what).toBe(expected);
  for (const name of [first, second]) await pods.patch(name, { metadata: { finalizers: null } });
}
