import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { pause } from './clock.ts';
import { FakeClock } from './fake-clock.fixture.ts';

test('a pause ends when its time is over, and not before', async () => {
  const clock = new FakeClock();
  const { signal } = new AbortController();
  let isOver = false;
  const paused = pause(clock, 1_000, signal).then(() => {
    isOver = true;
  });
  clock.advance(999);
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  clock.advance(1);
  await paused;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test.each([
  ['in the middle of it', 1],
  ['before it begins', 0],
])('a pause that is ended %s leaves nothing behind that waits', async (_, begun) => {
  const clock = new FakeClock();
  const ending = new AbortController();
  if (!begun) ending.abort();
  const paused = pause(clock, 1_000, ending.signal);
  ending.abort();
  await paused;
  expect(clock.next).toBeUndefined();
  expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
});
