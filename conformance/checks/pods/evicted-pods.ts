import type { Answer, Query } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { run, unscheduled } from './node-play.ts';
import { evictionOf } from './pod-requests.ts';

/** A budget that has what it needs, and no more. */
const scarce = { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0, expectedPods: 2 };
/** One that can do without one of two. */
const spare = { ...scarce, currentHealthy: 2, disruptionsAllowed: 1 };

const needing = (app: string): Json => ({ minAvailable: 1, selector: { matchLabels: { app } } });

/** Until it is counted what a budget has. */
async function untilCounted(context: RuleContext, { metadata }: Json, counted: Json): Promise<void> {
  const { podDisruptionBudgets, capabilities, waitUntil, longPatience } = context;
  const isCounted = ({ status = {} }: Json): boolean =>
    status.observedGeneration === metadata.generation &&
    Object.entries(counted).every(([field, value]) => status[field] === value);
  // Where no controller counts, we do.
  if (!capabilities.includes('controllers')) {
    const status = { ...counted, observedGeneration: metadata.generation };
    await podDisruptionBudgets.merge(metadata.name, { status }, 'status');
  }
  await waitUntil('the budget counts', () => podDisruptionBudgets.read(metadata.name), isCounted, {
    limit: longPatience,
  });
}

const evictsFrom =
  ({ pods }: RuleContext) =>
  (name: string, more: Json = {}, query: Query = {}): Promise<Answer> =>
    pods.postTo(name, 'eviction', { ...evictionOf(name), ...more }, query);

/** A pod that runs, and nobody but the rule is in charge of. */
async function running(context: RuleContext, metadata: Json, ready = true): Promise<Json> {
  return run(context, await context.pods.create({ metadata, spec: unscheduled }), { ready });
}

/** Whoever is not ready is evicted though no disruption is allowed, as long as enough others are; who is ready is not. */
export async function sparesBudget(context: RuleContext): Promise<void> {
  const { pods, podDisruptionBudgets, unique, expect } = context;
  const app = unique('app');
  const [healthy, other] = [true, false].map((ready) => running(context, { labels: { app } }, ready));
  const [well, ill] = [await healthy, await other].map(nameOf) as [string, string];
  const evict = evictsFrom(context);
  const budget = await podDisruptionBudgets.create({ spec: { ...needing(app), minAvailable: 2 } });
  await untilCounted(context, budget, { ...scarce, desiredHealthy: 2 });
  expect((await evict(ill)).status, 'of a pod that is not ready, where too few are').toBe(429);
  const { name } = budget.metadata;
  await untilCounted(context, await podDisruptionBudgets.merge(name, { spec: needing(app) }), scarce);
  expect((await evict(well)).status, 'of a pod that is needed').toBe(429);
  expect((await pods.read(well)).metadata.deletionTimestamp, 'of a pod that is needed').toBeUndefined();
  const answer = await evict(ill);
  expect(answer.status, `of a pod that is not ready: ${said(answer)}`).toBe(201);
}

/** What is allowed of a budget is spent; who is going costs nothing, and what was counted for another budget is nothing. */
export async function spendsBudget(context: RuleContext): Promise<void> {
  const { pods, podDisruptionBudgets, unique, expect } = context;
  const app = unique('app');
  const metadata = { labels: { app }, finalizers: ['example.com/one'] };
  const made = await Promise.all([1, 2].map(() => running(context, metadata)));
  const [first, second] = made.map(nameOf) as [string, string];
  const budget = nameOf(await podDisruptionBudgets.create({ spec: needing(app) }));
  await untilCounted(context, await podDisruptionBudgets.read(budget), spare);
  const evict = evictsFrom(context);
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

/** Where it can be said that an eviction is a rehearsal: of the request, of the delete that it asks for, or both. */
const rehearsals: Readonly<Record<string, readonly [more: Json, query: Query]>> = {
  'a rehearsal by its query': [{}, { dryRun: 'All' }],
  'a rehearsal by its options': [{ deleteOptions: { dryRun: ['All'] } }, {}],
  'a rehearsal by both': [{ deleteOptions: { dryRun: ['All'] } }, { dryRun: 'All' }],
};

/** An eviction that is but tried spends nothing of what is allowed of a budget. */
export async function triesEvictions(context: RuleContext): Promise<void> {
  const { pods, podDisruptionBudgets, unique, expect } = context;
  const app = unique('app');
  const made = await Promise.all([1, 2].map(() => running(context, { labels: { app } })));
  const budget = nameOf(await podDisruptionBudgets.create({ spec: needing(app) }));
  await untilCounted(context, await podDisruptionBudgets.read(budget), spare);
  const [first] = made.map(nameOf) as [string];
  for (const [what, [more, query]] of Object.entries(rehearsals)) {
    const answer = await evictsFrom(context)(first, more, query);
    expect(answer.status, `${what}: ${said(answer)}`).toBe(201);
    const { disruptionsAllowed, disruptedPods = {} } = (await podDisruptionBudgets.read(budget)).status;
    expect([disruptionsAllowed, Object.keys(disruptedPods)], `what is left of a budget after ${what}`).toEqual([1, []]);
    expect((await pods.read(first)).metadata.deletionTimestamp, `the pod after ${what}`).toBeUndefined();
  }
}
