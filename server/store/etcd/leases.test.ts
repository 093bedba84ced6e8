import { expect, it } from 'vitest';
import type { EtcdClient } from './etcd-client.ts';
import { Leases } from './leases.ts';

it.each([
  ['an hour', 3_600_000, 60_000, 3660],
  ['ten seconds', 10_000, 500, 11],
])(
  'what is to live for %s shares its lease for a while, and goes soon after its time',
  async (_, lifetime, within, seconds) => {
    const granted: number[] = [];
    const client = { grantLease: async (_id: number, seconds: number) => void granted.push(seconds) };
    let now = 0;
    let next = 0;
    const leases = new Leases(
      client as unknown as EtcdClient,
      () => now,
      () => ++next / 100,
    );
    const first = await leases.of(lifetime);
    now = within - 1;
    expect(await leases.of(lifetime)).toBe(first);
    now = within;
    expect(await leases.of(lifetime)).not.toBe(first);
    expect(granted).toEqual([seconds, seconds]);
  },
);
