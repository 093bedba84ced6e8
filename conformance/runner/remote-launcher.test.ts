import { expect, test } from 'vitest';
import type { Launcher } from '../lab/launcher.ts';
import { Breach, Skipped } from '../verbs/breach.ts';
import { type Delivery, makeErrandRunner, makeRemoteLauncher, type RemoteLauncher } from './remote-launcher.ts';

/** A launcher behind messages, all of whose servers fail to start in this way. */
function remote(failure: Error): RemoteLauncher {
  const fail = async (): Promise<never> => {
    throw failure;
  };
  const near: Launcher = { take: fail, own: fail, giveBack: () => {}, stopAll: async () => {} };
  const run = makeErrandRunner(near, (delivery: Delivery) => far.hear(structuredClone(delivery)));
  const far: RemoteLauncher = makeRemoteLauncher((errand) => run(structuredClone(errand)));
  return far;
}

test('what went wrong at the start of a server is told behind messages as it was', async () => {
  const broken = remote(new Breach('preparation', 'ended with code 2'));
  await expect(broken.take([])).rejects.toThrow(Breach);
  await expect(broken.own([])).rejects.toThrow('ended with code 2');
});

test('a server of which nothing is known is no broken one', async () => {
  const late = remote(new Skipped('did not serve in time'));
  await expect(late.take([])).rejects.toThrow(Skipped);
  await expect(late.own([])).rejects.toThrow('did not serve in time');
});
