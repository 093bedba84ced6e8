import { expect, test } from 'vitest';
import { formatTime } from '../runtime/clock.ts';
import { waitBeforeAsking } from './plan.ts';

const now = Date.UTC(2024, 0, 1);
const [second, minute] = [1_000, 60_000];

test.each([
  ['that just came', 0, 5 * second],
  ['of a minute', minute, 15 * second],
  ['of an hour', 60 * minute, 5 * minute],
])('whether a request %s may be approved is asked again later and later', (_, age, expected) =>
  expect(waitBeforeAsking({ metadata: { creationTimestamp: formatTime(now - age) } } as never, now)).toBe(expected),
);
