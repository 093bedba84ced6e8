import { expect, it } from 'vitest';
import { startFakeServer } from '../fake-server.fixture.ts';
import { strain } from './concurrency.ts';
import { burstPromises } from './history/burst.ts';
import { openSide } from './play/open-side.ts';
import { makeOwnWords } from './play/play.ts';
import type { Side } from './play/side.ts';

it('tells of histories that a server is too slow for, and goes on with the next', async () => {
  const silent = {
    send: () => Promise.reject(new Error('no answer')),
    open: () => Promise.reject(new Error('no answer')),
  };
  const side = { client: silent, run: 'r1', stopped: new AbortController().signal } as unknown as Side;
  const { promises, brokenOff } = await strain(side, makeOwnWords('r1'), {
    seed: 1,
    rounds: 2,
    budget: 5_000,
    burstKinds: [],
  });
  expect(promises).toEqual([]);
  expect(brokenOff).toEqual(['clients at once: no answer', 'clients at once: no answer']);
});

it('tells of what several clients were told at once that cannot all be', async () => {
  const server = await startFakeServer();
  const side = openSide({ url: server.url }, { run: 'r1', stopped: new AbortController().signal });
  const burstKinds = [{ apiVersion: 'v1', kind: 'Secret', resource: 'secrets' }];
  try {
    const { promises } = await strain(side, makeOwnWords('r1'), { seed: 1, rounds: 0, budget: 5_000, burstKinds });
    expect(promises.map(({ promise }) => promise)).toContain(burstPromises.one);
  } finally {
    await side.close();
    await server.stop();
  }
});
