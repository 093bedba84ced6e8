import { expect, test } from 'vitest';
import { formatTime } from '../clock.ts';
import { waitUntilAvailable } from './pod-state.ts';

const now = Date.UTC(2024, 0, 1);
const pod = (since: number, status = 'True') => ({
  status: { conditions: [{ type: 'Ready', status, lastTransitionTime: formatTime(now + since) }] },
});

test.each<[string, ReturnType<typeof pod>, number, number | undefined]>([
  ['that is not ready is not available, however long that is', pod(-60_000, 'False'), 0, undefined],
  ['that need not be ready for long is available at once', pod(0), 0, 0],
  ['that became ready by a clock that is ahead is available where no time is asked for', pod(3_600_000), 0, 0],
  ['becomes available once it was ready for long enough', pod(-4_000), 10, 6_000],
  ['stays available', pod(-11_000), 10, 0],
])('a pod %s', (_, given, minReadySeconds, wait) => {
  expect(waitUntilAvailable(given, minReadySeconds, now)).toBe(wait);
});
