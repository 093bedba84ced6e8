import { expect, test } from 'vitest';
import { ttlFor } from './plan.ts';

test.each([
  [1, undefined, 0],
  [100, 0, 0],
  [101, 0, 15],
  [95, 15, 15],
  [89, 15, 0],
  [1_000, 30, 30],
  [1_001, 30, 60],
  [5_000, undefined, 300],
])('of %i nodes one that was told %s is told %i', (nodes, told, expected) =>
  expect(ttlFor(nodes, told)).toBe(expected),
);
