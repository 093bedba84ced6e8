import type { Answer } from './client.ts';
import type { RuleContext } from './context.ts';
import type { Json } from './json.ts';
import { run, unscheduled } from './node-play.ts';
import { nameOf } from './states.ts';

/** A budget that has what it needs, and no more. */
const counted = { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0, expectedPods: 2 };

async function countedBudget(context: RuleContext, spec: Json): Promise<void> {
  const { podDisruptionBudgets, capabilities, waitUntil, patience } = context;
  const { metadata } = await podDisruptionBudgets.create({ spec });
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

/** Whoever is not ready is evicted though no disruption is allowed, as long as enough others are; who is ready is not. */
export async function sparesBudget(context: RuleContext): Promise<void> {
  const { pods, unique, expect } = context;
  const app = unique('app');
  const [healthy, other] = [true, false].map(async (ready) => {
    const pod = await pods.create({ metadata: { labels: { app } }, spec: unscheduled });
    return run(context, pod, { ready });
  });
  const [well, ill] = [await healthy, await other].map(nameOf) as [string, string];
  await countedBudget(context, { minAvailable: 1, selector: { matchLabels: { app } } });
  const evict = (name: string): Promise<Answer> =>
    pods.postTo(name, 'eviction', { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });
  expect((await evict(well)).status, 'of a pod that is needed').toBe(429);
  expect((await pods.read(well)).metadata.deletionTimestamp, 'of a pod that is needed').toBeUndefined();
  const answer = await evict(ill);
  expect(answer.status, `of a pod that is not ready: ${answer.body?.message ?? ''}`).toBe(201);
}
