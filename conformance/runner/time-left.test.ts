import { expect, test } from 'vitest';
import { spoken, timeLeft } from './time-left.ts';

test.each([
  [9, 100, 9_000, ''],
  [10, 100, 10_000, ', about 2 min left'],
  [50, 100, 20_000, ', about 20 s left'],
  [100, 100, 20_000, ''],
  [0, 0, 0, ''],
])('%i of %i in %i ms', (done, total, milliseconds, expected) => {
  expect(timeLeft(done, total, milliseconds)).toBe(expected);
});

test.each([
  [0, '1 s'],
  [89_400, '89 s'],
  [90_000, '2 min'],
  [7_800_000, '2 h 10 min'],
])('%i ms are %s', (milliseconds, expected) => {
  expect(spoken(milliseconds)).toBe(expected);
});
