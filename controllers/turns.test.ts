import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from './runtime/clock.ts';
import { makeController } from './runtime/make-controller.ts';
import { configMaps } from './runtime/resources.ts';
import { type Lab, startLab } from './testing/lab.fixture.ts';
import { startInTurn } from './turns.ts';

const limit = { timeout: 10_000 };
let lab: Lab;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.stop());

test('of servers that are one service one runs the controllers, and another when that one stops', async () => {
  const seen: string[] = [];
  const start = (who: string) => {
    const reconcile = async () => {
      seen.push(who);
      return undefined;
    };
    const loops = [makeController({ name: 'note', for: configMaps, reconcile })];
    return startInTurn({ kubeconfig: lab.kubeconfig, controllers: [], loops }, systemClock);
  };
  const [a, b] = [await start('a'), await start('b')];
  const create = (name: string) =>
    lab.client.create(configMaps, { metadata: { name, namespace: 'default' } }, { namespace: 'default' });
  await create('first');
  await expect.poll(() => seen, limit).toContain('a');
  expect(seen).not.toContain('b');
  await a.stop();
  await expect.poll(() => seen, limit).toContain('b');
  const before = seen.lastIndexOf('a');
  await create('second');
  await expect.poll(() => seen.length, limit).toBeGreaterThan(before + 2);
  await b.stop();
  expect(seen.lastIndexOf('a')).toBe(before);
}, 20_000);
