import { expect, test } from 'vitest';
import { FakeClock } from '../runtime/fake-clock.fixture.ts';
import { requestOf } from '../runtime/request.fixture.ts';
import type { HorizontalPodAutoscaler } from '../runtime/resources.ts';
import { horizontalPodAutoscalerLoops } from './reconcile.ts';

test('an autoscaler is looked at every 15 seconds, and not at once because of what was just told of it', async () => {
  const clock = new FakeClock();
  let version = 1;
  let stored = { metadata: { namespace: 'ns', name: 'a', resourceVersion: '1' } } as HorizontalPodAutoscaler;
  let looks = 0;
  const request = requestOf({
    key: 'ns/a',
    clock,
    events: { record: () => {} },
    read: () => ({ find: () => stored }),
    client: {
      read: async () => {
        looks += 1;
        throw new Error(`no answer to ${looks}`);
      },
    },
    write: () => ({
      replace: async (_base: HorizontalPodAutoscaler, next: HorizontalPodAutoscaler) => {
        version += 1;
        stored = { ...next, metadata: { ...next.metadata, resourceVersion: String(version) } };
        return stored;
      },
    }),
  });
  const [loop] = horizontalPodAutoscalerLoops();
  expect(await loop?.reconcile(request)).toBe(15_000);
  clock.advance(1_000);
  expect(await loop?.reconcile(request)).toBe(14_000);
  const seen = looks;
  stored = { ...stored, metadata: { ...stored.metadata, resourceVersion: 'of somebody else' } };
  expect(await loop?.reconcile(request)).toBe(15_000);
  expect(looks).toBeGreaterThan(seen);
  clock.advance(15_000);
  const before = looks;
  expect(await loop?.reconcile(request)).toBe(15_000);
  expect(looks).toBeGreaterThan(before);
});
