import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIp } from '../../../base/ip.ts';
import type { KubeObject } from '../../../base/kube-object.ts';
import { addressText, ipFamilyOf, toBits } from './address-bits.ts';
import type { Claim } from './addresses.ts';
import { serviceAllocator } from './allocator.ts';

const claim = (holder: string, more: Partial<Claim> = {}): Claim => ({
  holder,
  dryRun: false,
  onAbandon() {},
  ...more,
});
const service = (name: string, clusterIPs: string[], nodePort?: number): KubeObject => ({
  kind: 'Service',
  apiVersion: 'v1',
  metadata: { namespace: 'n', name },
  spec: { clusterIPs, ports: [{ port: 1, ...(nodePort && { nodePort }) }] },
});
const small = (clusterIpRange = '10.0.0.0/29', nodePortRange = '30000-30001') =>
  serviceAllocator({ clusterIpRange, nodePortRange, random: () => 0 });

describe('the addresses of services', () => {
  test('each is given out once, without the first and the last of the range', () => {
    const addresses = small();
    const given = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => addresses.pickAddress('IPv4', claim(name)));
    expect(given).toEqual([1, 2, 3, 4, 5, 6].map((last) => `10.0.0.${last}`));
    expect(addresses.pickAddress('IPv4', claim('g'))).toBeUndefined();
  });

  test('the lower part of a range is left to those who ask for it', () => {
    const addresses = small('10.0.0.0/24');
    expect(addresses.pickAddress('IPv4', claim('a'))).toBe('10.0.0.17');
    expect(addresses.takeAddress('10.0.0.1', claim('b'))).toBeUndefined();
  });

  test.each([
    ['another network', '10.1.0.1', 'outside'],
    ['the network itself', '10.0.0.0', 'outside'],
    ['the broadcast address', '10.0.0.7', 'outside'],
    ['no address', 'nonsense', 'outside'],
    ['another family', '::1', 'outside'],
  ])('%s cannot be had', (_title, address, refusal) => {
    expect(small().takeAddress(address, claim('a'))).toBe(refusal);
  });

  test('what a service holds is refused to others, and free again when it goes', () => {
    const addresses = small();
    const a = service('a', ['10.0.0.3'], 30000);
    addresses.follow(undefined, a);
    expect(addresses.takeAddress('10.0.0.3', claim('n/b'))).toBe('taken');
    expect(addresses.takeAddress('10.0.0.3', claim('n/a'))).toBeUndefined();
    expect(addresses.takePort(30000, claim('n/b'))).toBe('taken');
    addresses.follow(a, undefined);
    expect(addresses.takeAddress('10.0.0.3', claim('n/b'))).toBeUndefined();
    expect(addresses.takePort(30000, claim('n/b'))).toBeUndefined();
  });

  test('a change gives back what the service has no more', () => {
    const addresses = small();
    const before = service('a', ['10.0.0.3'], 30000);
    addresses.follow(undefined, before);
    addresses.follow(before, service('a', ['10.0.0.3'], 30001));
    expect(addresses.takePort(30000, claim('n/b'))).toBeUndefined();
    expect(addresses.takePort(30001, claim('n/b'))).toBe('taken');
  });

  test('a claim holds until its write comes or is given up, also against other writes of the same service', () => {
    const addresses = small();
    const undos: (() => void)[] = [];
    const first = claim('n/a', { onAbandon: (undo) => undos.push(undo) });
    expect(addresses.takeAddress('10.0.0.2', first)).toBeUndefined();
    expect(addresses.takeAddress('10.0.0.2', first)).toBeUndefined();
    expect(addresses.takeAddress('10.0.0.2', claim('n/b'))).toBe('taken');
    expect(addresses.takeAddress('10.0.0.2', claim('n/a'))).toBe('taken');
    expect(undos).toHaveLength(1);
    for (const undo of undos) undo();
    expect(addresses.takeAddress('10.0.0.2', claim('n/b'))).toBeUndefined();
    // What was given up long ago takes nothing from those who came after.
    for (const undo of undos) undo();
    expect(addresses.takeAddress('10.0.0.2', claim('n/c'))).toBe('taken');
  });

  test('a dry run takes nothing and notices nothing', () => {
    const addresses = small();
    addresses.follow(undefined, service('a', ['10.0.0.3']));
    expect(addresses.takeAddress('10.0.0.3', claim('n/b', { dryRun: true }))).toBeUndefined();
    expect(addresses.pickAddress('IPv4', claim('n/c', { dryRun: true }))).toBe('10.0.0.1');
    expect(addresses.pickAddress('IPv4', claim('n/d'))).toBe('10.0.0.1');
  });

  test('two families have a range each', () => {
    const addresses = small('fd00::/108,10.0.0.0/29');
    expect(addresses.families).toEqual(['IPv6', 'IPv4']);
    expect(addresses.pickAddress('IPv6', claim('a'))).toBe('fd00::101');
    expect(addresses.pickAddress('IPv4', claim('a'))).toBe('10.0.0.1');
  });

  test('node ports come from their range, and not from those that are to be left out', () => {
    const addresses = small();
    expect(addresses.pickPort(claim('a'), new Set([30000]))).toBe(30001);
    expect(addresses.takePort(29999, claim('a'))).toBe('outside');
    expect(addresses.pickPort(claim('b'), new Set())).toBe(30000);
    expect(addresses.pickPort(claim('c'), new Set())).toBeUndefined();
  });

  test.each([
    ['no range', '10.0.0.0', '30000-32767'],
    ['a range of nothing', '10.0.0.0/31', '30000-32767'],
    ['one family twice', '10.0.0.0/24,10.0.1.0/24', '30000-32767'],
    ['ports that are none', '10.0.0.0/24', '30000-99999'],
    ['ports from behind', '10.0.0.0/24', '32767-30000'],
  ])('%s is refused at the start', (_title, clusterIpRange, nodePortRange) => {
    expect(() => small(clusterIpRange, nodePortRange)).toThrow();
  });

  test('no two services ever hold one address, whatever comes and goes', () => {
    const step = fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), add: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const addresses = small();
        const held = new Map<string, string>();
        for (const { name, add } of steps) {
          const before = held.get(name);
          if (!add) {
            if (before) addresses.follow(service(name, [before]), undefined);
            held.delete(name);
          } else if (!before) {
            const address = addresses.pickAddress('IPv4', claim(`n/${name}`));
            expect(address === undefined).toBe(held.size === 6);
            if (!address) continue;
            addresses.follow(undefined, service(name, [address]));
            held.set(name, address);
          }
          expect(new Set(held.values()).size).toBe(held.size);
        }
      }),
    );
  });
});

describe('the text of an address', () => {
  test.each(['0.0.0.0', '10.0.0.255', '::', '::1', 'fd00::', '1:2:3:4:5:6:7:8', '1:0:3::6:7:8', '2001:db8::1:0:0:1'])(
    '%s comes back as it was',
    (text) => {
      const ip = parseIp(text);
      expect(ip && addressText(ipFamilyOf(ip), toBits(ip))).toBe(text);
    },
  );

  test('reads back as the same address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const ip = parseIp(text);
        if (!ip) return;
        const back = parseIp(addressText(ipFamilyOf(ip), toBits(ip)));
        expect(back && toBits(back)).toBe(toBits(ip));
      }),
    );
  });
});
