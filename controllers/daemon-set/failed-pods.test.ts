import { expect, test } from 'vitest';
import { FailedPods } from './failed-pods.ts';

test('the first failed pod goes at once, each further one of its place after twice the wait', () => {
  const failed = new FailedPods();
  const waits = [0, 0, 500, 1_000, 1_000, 3_000].map((now) => failed.waitBeforeReplacing('set on node', now));
  expect(waits).toEqual([0, 1_000, 500, 0, 2_000, 0]);
  expect(failed.waitBeforeReplacing('set on another', 3_000)).toBe(0);
});

test('what failed long ago is forgotten', () => {
  const failed = new FailedPods();
  for (const now of [0, 1_000, 3_000]) failed.waitBeforeReplacing('set on node', now);
  const later = 3_000 + 1_800_001;
  expect(failed.waitBeforeReplacing('set on node', later)).toBe(0);
  expect(failed.waitBeforeReplacing('set on node', later)).toBe(1_000);
});
