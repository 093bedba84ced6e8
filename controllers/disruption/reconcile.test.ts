import { expect, test } from 'vitest';
import type { Note } from '../runtime/events.ts';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import type { Pod, PodDisruptionBudget } from '../runtime/resources.ts';
import { disruptionLoops } from './reconcile.ts';

/** What people are told of a budget of these pods, and the status that it gets. */
async function toldOf(selector: object | undefined, pods: readonly Pod[]) {
  const budget = { metadata: { namespace: 'ns', name: 'b' }, spec: { minAvailable: 1, selector } };
  const told: Note[] = [];
  const written: PodDisruptionBudget[] = [];
  const request = requestOf({
    key: 'ns/b',
    clock: new FakeClock(),
    events: { record: (_: object, note: Note) => told.push(note) },
    read: () => ({ find: () => budget, in: () => pods }),
    write: () => ({ replace: async (_: object, next: PodDisruptionBudget) => written.push(next) }),
  });
  await disruptionLoops[0]?.reconcile(request);
  return { reasons: told.map(({ reason }) => reason), expected: written[0]?.status?.expectedPods };
}

const pod: Pod = { metadata: { namespace: 'ns', name: 'p', labels: { app: 'web' } } };

test.each([
  ['that has some says nothing', { matchLabels: { app: 'web' } }, [], 1],
  ['that has none says so', { matchLabels: { app: 'wep' } }, ['NoPods'], 0],
  ['of all has some', {}, [], 1],
  ['without a selector has none', undefined, ['NoPods'], 0],
])('a budget %s', async (_, selector, reasons, expected) => {
  expect(await toldOf(selector, [pod])).toEqual({ reasons, expected });
});
