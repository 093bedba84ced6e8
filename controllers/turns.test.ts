import { afterAll, beforeAll, expect, test } from 'vitest';
import { Rivals } from './rivals.ts';
import { systemClock } from './runtime/clock.ts';
import { lead } from './runtime/leader-election.ts';
import { silentLog } from './runtime/log.ts';
import { makeController } from './runtime/make-controller.ts';
import { configMaps, leases } from './runtime/resources.ts';
import { type Lab, startLab } from './testing/lab.fixture.ts';
import { startInTurn } from './turns.ts';

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
  await expect.poll(() => seen).toContain('a');
  expect(seen).not.toContain('b');
  await a.stop();
  await expect.poll(() => seen).toContain('b');
  const before = seen.lastIndexOf('a');
  await create('second');
  await expect.poll(() => seen.length).toBeGreaterThan(before + 2);
  await b.stop();
  expect(seen.lastIndexOf('a')).toBe(before);
});

const namespace = 'kube-system';

/** Somebody who is to lead these controllers under this Lease. */
const candidate = (name: string, controllers: readonly string[], signal: AbortSignal) =>
  lead({
    ...{ client: lab.client, clock: systemClock, log: silentLog, namespace, name, identity: `${name}-${controllers}` },
    ...{ retry: 20, duration: 1000, patience: 700, signal },
    rivals: new Rivals({ namespace, name, controllers }),
  });

/** Resolves with what it is when that begins, at most so many milliseconds from now. */
const within = <T>(milliseconds: number, promise: Promise<T>): Promise<T | 'not yet'> =>
  Promise.race([promise, new Promise<'not yet'>((resolve) => setTimeout(resolve, milliseconds, 'not yet'))]);

test('of leaders of different controllers those do not lead side by side who have one in common', async () => {
  const ending = new AbortController();
  const [one, apart] = await Promise.all([
    candidate('jobs-and-more', ['job', 'cronjob'], ending.signal),
    candidate('apart', ['ttl'], ending.signal),
  ]);
  expect(apart.signal.aborted, 'who has nothing in common with others leads beside them').toBe(false);
  const other = candidate('jobs', ['deployment', 'job'], ending.signal);
  expect(await within(1500, other)).toBe('not yet');
  expect(one.signal.aborted).toBe(false);
  await one.release();
  expect((await other).signal.aborted).toBe(false);
  ending.abort();
});

test('however many begin at the same moment, one at a time leads', async () => {
  const ending = new AbortController();
  let leading = 0;
  let most = 0;
  const turns = Array.from({ length: 6 }, async (_, index) => {
    const leader = await candidate(`same-moment-${index}`, [`own-${index}`, 'common'], ending.signal);
    most = Math.max(most, ++leading);
    await new Promise((resolve) => setTimeout(resolve, 20));
    leading--;
    await leader.release();
  });
  await Promise.all(turns);
  expect(most).toBe(1);
  ending.abort();
});

test('of who ended without a word the next one takes over, and nobody after that waits for it', async () => {
  const ending = new AbortController();
  const gone = new AbortController();
  await candidate('gone', ['endpoint'], gone.signal);
  gone.abort();
  const next = await candidate('next', ['endpoint', 'podgc'], ending.signal);
  await expect(lab.client.get(leases, { namespace, name: 'gone' })).rejects.toThrow('not found');
  await next.release();
  ending.abort();
});

test('a leader whose Lease is removed while a rival begins gives way', async () => {
  const ending = new AbortController();
  const held = { holderIdentity: 'rival', leaseDurationSeconds: 3600 };
  const { annotations } = new Rivals({ namespace, name: 'rival', controllers: ['replicaset'] });
  const leader = await candidate('removed', ['replicaset', 'statefulset'], ending.signal);
  await lab.client.create(leases, { metadata: { namespace, name: 'rival', annotations }, spec: held }, { namespace });
  await lab.client.delete(leases, { namespace, name: 'removed' });
  await expect.poll(() => leader.signal.aborted).toBe(true);
  ending.abort();
});
