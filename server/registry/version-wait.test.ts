import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ManualTimers } from '../base/time/manual-timers.fixture.ts';
import type { KindRules } from '../kinds/strategy.ts';
import type { Store } from '../store/store.ts';
import { waitForVersion } from './version-wait.ts';

function scene(rules: Partial<KindRules> = {}) {
  const scene = { now: 5, timers: new ManualTimers() };
  const store = { currentRevision: async () => scene.now } as Partial<Store> as Store;
  return {
    ...scene,
    wait: waitForVersion({ store, timers: scene.timers }, 7, { rules: rules as KindRules }),
    reach: (now: number) => (scene.now = now),
  };
}

/** Lets time pass in steps, so that what waits can wait again. */
async function pass(timers: ManualTimers, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 50) {
    await settled();
    timers.advance(50);
  }
  await settled();
}

test('a version that is reached in the meantime is waited for', async () => {
  const { timers, wait, reach } = scene();
  await pass(timers, 1000);
  reach(7);
  await pass(timers, 50);
  await expect(wait).resolves.toBeUndefined();
});

test('a version that is not reached in three seconds is too large', async () => {
  const { timers, wait } = scene();
  const refused = expect(wait).rejects.toMatchObject({ status: { code: 504, details: { retryAfterSeconds: 1 } } });
  await pass(timers, 2950);
  // Until the next look, and until the last one.
  expect(timers.waiting).toBe(2);
  await pass(timers, 50);
  await refused;
  expect(timers.waiting, 'once it is refused').toBe(0);
});

test('the time that a slow store takes to say where it is counts', async () => {
  const timers = new ManualTimers();
  const slow = () => new Promise<number>((resolve) => timers.after(500, () => resolve(5)));
  const store = { currentRevision: slow } as Partial<Store> as Store;
  const refused = expect(waitForVersion({ store, timers }, 7, { rules: {} as KindRules })).rejects.toMatchObject({
    status: { code: 504 },
  });
  await pass(timers, 4_600);
  expect(timers.waiting, 'after three seconds and the looks that were under way').toBe(0);
  await refused;
});

test('who waits for what no cache holds is not told when to come back', async () => {
  const { timers, wait } = scene({ isUncached: true });
  const refused = wait.catch((error: unknown) => error);
  await pass(timers, 3000);
  expect(await refused).toMatchObject({ status: { code: 504 } });
  expect(await refused).not.toHaveProperty('status.details.retryAfterSeconds');
  expect(await refused).not.toHaveProperty('headers.retry-after');
});
