import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { systemClock } from '../base/time/clock.ts';
import { Metrics } from './metrics.ts';

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

/** As a server that ends has them: asked once, and then of no use to anybody. */
async function askedOnce(): Promise<WeakRef<Metrics>> {
  const metrics = new Metrics(systemClock);
  expect(await metrics.answer()).toMatchObject({ body: expect.stringMatching(/^process_cpu_seconds_total /m) });
  return new WeakRef(metrics);
}

test('what a server counted goes with it, though the process is measured on', async () => {
  const asked = [await askedOnce(), await askedOnce()];
  const left = () => {
    collectGarbage();
    return asked.filter((metrics) => metrics.deref() !== undefined).length;
  };
  // Who reads how late the process is answers once more, a turn later.
  await expect.poll(left).toBe(0);
});
