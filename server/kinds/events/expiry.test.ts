import { expect, it } from 'vitest';
import { ManualTimers } from '../../base/time/manual-timers.fixture.ts';
import { withInvariants } from '../../store/invariants.fixture.ts';
import { MemoryStore } from '../../store/memory-store.ts';
import { expireEvents } from './expiry.ts';

const event = (name: string) => ({ kind: 'Event', apiVersion: 'v1', metadata: { name } });

it('removes events a while after their last write, and nothing else', async () => {
  const store = withInvariants(new MemoryStore({ freeze: true }));
  const timers = new ManualTimers();
  let now = 0;
  const advance = async (milliseconds: number) => {
    now += milliseconds;
    await timers.advance(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await store.create('/events/a/old', event('old'));
  const stop = await expireEvents({
    store,
    timers,
    clock: { now: () => now },
    ttl: 10_000,
    report: (e) => expect.fail(String(e)),
  });
  await store.create('/events/a/renewed', event('renewed'));
  await store.create('/configmaps/a/other', { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'other' } });
  await advance(6000);
  await store.update('/events/a/renewed', ({ value }) => ({ write: { ...value, metadata: { name: 'renewed' } } }));
  await advance(5000);
  expect(await store.get('/events/a/old')).toBeUndefined();
  expect(await store.get('/events/a/renewed')).toBeDefined();
  await advance(6000);
  expect(await store.get('/events/a/renewed')).toBeUndefined();
  expect(await store.get('/configmaps/a/other')).toBeDefined();
  stop();
  await store.close();
});
