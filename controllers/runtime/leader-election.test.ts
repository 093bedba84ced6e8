import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, type Lab, startLab } from '../testing/lab.fixture.ts';
import { Client } from './client.ts';
import { pause, systemClock } from './clock.ts';
import { connect } from './connection/connection.ts';
import { lead, planBid } from './leader-election.ts';
import { silentLog } from './log.ts';
import { type Lease, leases } from './resources.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.stop());

const lease = (spec: NonNullable<Lease['spec']>): Lease => ({ spec });
const now = Date.UTC(2024, 1, 1);

test.each<[string, Lease | undefined, number, 'wait' | number | undefined]>([
  ['no lease: take it', undefined, 0, undefined],
  ['ours: renew it', lease({ holderIdentity: 'me', leaseTransitions: 3 }), 0, 3],
  [
    'another’s, seen to change a moment ago: wait',
    lease({ holderIdentity: 'you', leaseDurationSeconds: 15 }),
    14_999,
    'wait',
  ],
  [
    'another’s, not changed for its duration: take it over',
    lease({ holderIdentity: 'you', leaseDurationSeconds: 15, leaseTransitions: 3 }),
    15_000,
    4,
  ],
  ['given up: take it', lease({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 3 }), 0, 4],
])('%s', (_, before, unchangedFor, expected) => {
  const bid = planBid(before, 'me', now, unchangedFor, 15_000);
  if (expected === 'wait') expect(bid.wait).toBe(true);
  else expect(bid).toMatchObject({ wait: false, spec: { holderIdentity: 'me' } });
  if (typeof expected === 'number' && !bid.wait) expect(bid.spec.leaseTransitions).toBe(expected);
});

const candidate = (
  identity: string,
  signal: AbortSignal,
  { client = lab.client, name = 'l', clock = systemClock, retry = 20, duration = 1_000, patience = 700 } = {},
) =>
  lead({
    client,
    clock,
    log: silentLog,
    namespace: 'kube-system',
    name,
    identity,
    retry,
    duration,
    patience,
    signal,
  });

/** Resolves when the signal is aborted, with the time. */
const aborted = (signal: AbortSignal | undefined): Promise<number> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve(Date.now());
    else signal?.addEventListener('abort', () => resolve(Date.now()));
  });

test('a leader whose network goes silent steps down before another takes over', async () => {
  const relay = await lab.relay();
  const connection = await connect({ text: relay.kubeconfig });
  const ending = new AbortController();
  const client = new Client({ connection, clock: systemClock, signal: ending.signal, userAgent: 'silent' });
  const names = Array.from({ length: 20 }, (_, index) => `silent-${index}`);
  const leaders = names.map((name) => candidate('first', ending.signal, { client, name }));
  const steppedDown = leaders.map(async (leader) => aborted((await leader).signal));
  await Promise.all(leaders);
  relay.fate = () => 'swallow';
  const takenOver = names.map(async (name) => {
    await candidate('second', ending.signal, { name });
    return Date.now();
  });
  const ends = await Promise.all(steppedDown);
  const beginnings = await Promise.all(takenOver);
  for (const [index, end] of ends.entries()) expect(end).toBeLessThanOrEqual(beginnings[index] ?? 0);
  ending.abort();
  connection.close();
});

test('one leads, another takes over when it gives up, and learns when the lease is taken from it', async () => {
  const ending = new AbortController();
  const first = await candidate('first', ending.signal);
  let second: Awaited<ReturnType<typeof lead>> | undefined;
  const waiting = candidate('second', ending.signal).then((leadership) => {
    second = leadership;
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(second).toBeUndefined();
  await first.release();
  await waiting;
  const held = await lab.client.get(leases, { namespace: 'kube-system', name: 'l' });
  expect(held.spec).toMatchObject({ holderIdentity: 'second', leaseTransitions: 1 });
  await eventually(async () => {
    const current = await lab.client.get(leases, { namespace: 'kube-system', name: 'l' });
    const spec = { ...current.spec, holderIdentity: 'thief', leaseDurationSeconds: 3_600 };
    return lab.client.replace(leases, { ...current, spec }).catch(() => undefined);
  });
  await aborted(second?.signal);
  ending.abort();
});

test('a leader who sees that somebody else has the lease does not act on until its own time is over', async () => {
  const ending = new AbortController();
  const leader = await lead({
    ...{ client: lab.client, clock: systemClock, log: silentLog, namespace: 'kube-system', name: 'stolen' },
    ...{ identity: 'first', retry: 20, duration: 120_000, patience: 60_000, signal: ending.signal },
  });
  await eventually(async () => {
    const current = await lab.client.get(leases, { namespace: 'kube-system', name: 'stolen' });
    const spec = { ...current.spec, holderIdentity: 'thief', leaseDurationSeconds: 3_600 };
    return lab.client.replace(leases, { ...current, spec }).catch(() => undefined);
  });
  await aborted(leader.signal);
  ending.abort();
});

test('who renews a lease keeps since when it is theirs, and says so where nobody did', () => {
  const since = (acquireTime?: string) => {
    const bid = planBid(lease({ holderIdentity: 'me', ...(acquireTime && { acquireTime }) }), 'me', now, 0, 15_000);
    return bid.wait ? undefined : bid.spec.acquireTime;
  };
  const before = '2024-01-01T00:00:00.000000Z';
  expect([since(before), since()]).toEqual([before, '2024-02-01T00:00:00.000000Z']);
});

test('a candidate who sees a rival only when it has the lease gives it back at once', async () => {
  const ending = new AbortController();
  let looks = 0;
  const rivals = { annotations: {}, areAtWork: async () => ++looks > 1 };
  const place = { namespace: 'kube-system', name: 'given-back' };
  const waiting = lead({
    ...{ client: lab.client, clock: systemClock, log: silentLog, ...place, rivals },
    ...{ identity: 'first', retry: 60_000, duration: 120_000, patience: 60_000, signal: ending.signal },
  });
  await eventually(async () => {
    const { spec } = await lab.client.get(leases, place).catch((): Lease => ({}));
    return spec && !spec.holderIdentity ? true : undefined;
  });
  ending.abort();
  await expect(waiting).rejects.toThrow('stopped');
});

test('a candidate whose clock is set forward waits as long as any other', async () => {
  const ending = new AbortController();
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  // Longer than a busy machine may stand still, and less than the clock jumps.
  const lasting = { name: 'set-forward', duration: 10_000, patience: 8_000 };
  // It renews so rarely that others see the same version many times.
  const first = await candidate('first', ending.signal, { ...lasting, retry: 300 });
  const second = candidate('second', ending.signal, { ...lasting, clock });
  const versionNow = async () => {
    const { metadata } = await lab.client.get(leases, { namespace: 'kube-system', name: 'set-forward' });
    return metadata?.resourceVersion;
  };
  for (let jumps = 1; jumps <= 3; jumps++) {
    const version = await versionNow();
    await expect.poll(versionNow).not.toBe(version);
    await pause(systemClock, 100);
    ahead += 15_000;
  }
  await pause(systemClock, 100);
  expect(first.signal.aborted).toBe(false);
  expect(await Promise.race([second, 'waits'])).toBe('waits');
  await first.release();
  await second;
  ending.abort();
});

test('a leader whose clock is set back does not lead longer than others wait', async () => {
  const relay = await lab.relay();
  const connection = await connect({ text: relay.kubeconfig });
  const ending = new AbortController();
  const client = new Client({ connection, clock: systemClock, signal: ending.signal, userAgent: 'set-back' });
  let behind = 0;
  const clock = { ...systemClock, now: () => Date.now() - behind };
  const leader = await candidate('first', ending.signal, { client, name: 'set-back', clock });
  behind = 60_000;
  relay.fate = () => 'swallow';
  await Promise.race([aborted(leader.signal), candidate('second', ending.signal, { name: 'set-back' })]);
  expect(leader.signal.aborted).toBe(true);
  ending.abort();
  connection.close();
});
