import { expect, it } from 'vitest';
import { strain } from './concurrency.ts';
import { makeOwnWords } from './play/play.ts';
import type { Side } from './play/side.ts';

it('tells of histories that a server is too slow for, and goes on with the next', async () => {
  const silent = {
    send: () => Promise.reject(new Error('no answer')),
    open: () => Promise.reject(new Error('no answer')),
  };
  const side = { client: silent, run: 'r1', stopped: new AbortController().signal } as unknown as Side;
  const { promises, brokenOff } = await strain(side, makeOwnWords('r1'), { seed: 1, rounds: 2, budget: 5_000 });
  expect(promises).toEqual([]);
  expect(brokenOff).toEqual(['clients at once: no answer', 'clients at once: no answer']);
});
