import { setTimeout } from 'node:timers/promises';
import { defineRule } from '../../rule.ts';
import { answerStatus, changeText, redirectPath } from '../../sabotage/transforms.ts';

export default [
  // `--shutdown-delay-duration` keeps a stopping server at work while readyz already fails.
  defineRule('health.flag.shutdown-delay-duration', {
    needs: ['flags'],
    sabotage: [
      answerStatus(200, { path: /^\/readyz$/, instead: 500 }),
      redirectPath(/^\/readyz$/, '/livez', { path: /^\/readyz$/ }),
      answerStatus(503, { path: /^\/api\/v1\/namespaces\/default$/, from: 2 }),
      redirectPath(/^\/readyz\/ping$/, '/readyz', { path: /^\/readyz\/ping$/ }),
    ],
    async check({ start, waitUntil, expect }) {
      const { send, stop } = await start(['--shutdown-delay-duration=2s']);
      const works = async (): Promise<number> => (await send('GET', '/api/v1/namespaces/default')).status;
      expect(await works(), 'before').toBe(200);
      const began = performance.now();
      const stopped = stop();
      const look = async () => (await send('GET', '/readyz')).status;
      await waitUntil('it says that it is not ready', look, (status) => status === 500, { limit: 1_500, interval: 50 });
      expect(await works(), 'while it is about to stop').toBe(200);
      expect((await send('GET', '/livez')).status, 'livez meanwhile').toBe(200);
      expect((await send('GET', '/readyz/ping')).status, 'a check that is about something else').toBe(200);
      await stopped;
      expect(performance.now() - began, 'milliseconds until it stopped').toBeGreaterThan(1_900);
    },
  }),

  // `--livez-grace-period` allows a slow start before livez fails.
  defineRule('health.flag.livez-grace-period', {
    needs: ['flags'],
    sabotage: [
      answerStatus(500, { path: /^\/livez$/ }),
      answerStatus(500, { path: /^\/livez$/, from: 8 }),
      changeText('tells what is not ready yet', (text) => `[-]informer-sync failed\n${text}`, { path: /^\/livez$/ }),
    ],
    async check({ start, expect }) {
      const { send } = await start(['--livez-grace-period=2s']);
      for (let round = 0; round < 12; round++) {
        const { status, text } = await send('GET', '/livez');
        expect([status, text.trim()], `livez, look ${round}`).toEqual([200, 'ok']);
        await setTimeout(250);
      }
      const isRefused = await start(['--livez-grace-period=soon']).then(
        () => false,
        () => true,
      );
      expect(isRefused, 'a server that is given no duration does not start').toBe(true);
    },
  }),
];
