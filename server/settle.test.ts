import { describe, expect, it } from 'vitest';
import type { Timers } from './base/time/timers.ts';
import { type Activity, settle, UnsettledError } from './settle.ts';

const never = () => () => undefined;
const timers: Timers = {
  after(_milliseconds, callback) {
    queueMicrotask(callback);
    return () => undefined;
  },
  every: never,
  soon: never,
};

/** Looks that give these, and then the last of them for ever. */
function looks(...all: readonly Partial<Activity>[]) {
  let count = 0;
  const look = async () => ({ revision: 1, requests: 0, begun: 1, ...all[Math.min(count++, all.length - 1)] });
  return { look, count: () => count };
}

describe('settling', () => {
  it('takes as long as asked when nothing happens', async () => {
    const { look, count } = looks({});
    await settle(look, timers, { quiet: 50 });
    expect(count()).toBe(6);
  });

  it.each([
    ['a write', [{}, { revision: 2 }]],
    ['a request that came and went between two looks', [{}, { begun: 2 }]],
    ['a request that lasts', [{}, { requests: 1 }, {}]],
  ])('begins anew after %s', async (_what, activity) => {
    const { look, count } = looks(...activity);
    await settle(look, timers, { quiet: 50 });
    expect(count()).toBeGreaterThan(6);
  });

  it('gives up, and says what goes on', async () => {
    let revision = 0;
    const busy = async () => ({ revision: ++revision, requests: 3, begun: 1 });
    const failure = settle(busy, timers, { timeout: 200 });
    await expect(failure).rejects.toThrow(UnsettledError);
    await expect(failure).rejects.toThrow('still busy after 200 ms: 3 requests under way, revision 2');
  });
});
