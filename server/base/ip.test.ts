import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cidrContains, isIpv4, parseCidr, parseIp, specialUse } from './ip.ts';

describe('parseIp', () => {
  test.each(['10.0.0.1', '010.0.0.1', '255.255.255.255', '::ffff:1.2.3.4', '::ffff:102:304'])(
    'takes %s as IPv4',
    (text) => {
      const ip = parseIp(text);
      expect(ip && isIpv4(ip)).toBe(true);
    },
  );
  test.each(['::', '::1', '2001:db8::1', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7::', '::1.2.3.4', 'FE80::A'])(
    'takes %s as IPv6',
    (text) => {
      const ip = parseIp(text);
      expect(ip).toHaveLength(16);
    },
  );
  test.each([
    '',
    'a',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.',
    '::g',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8::',
    'fe80::1%eth0',
    '1.2.3.4:80',
    ':1',
    '1:',
    '1.2.3.4::',
    '12345::',
  ])('refuses %j', (text) => {
    expect(parseIp(text)).toBeUndefined();
  });
  test('reads back any address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        expect(parseIp(text)).toBeDefined();
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (bytes) => {
        expect(parseIp(bytes.join('.'))).toEqual(bytes);
      }),
    );
  });
});

describe('parseCidr', () => {
  test.each([
    ['10.0.0.0/8', 8],
    ['10.0.0.5/32', 32],
    ['::/0', 0],
    ['::ffff:10.0.0.0/104', 8],
  ])('reads %s', (text, bits) => {
    expect(parseCidr(text)?.bits).toBe(bits);
  });
  test.each(['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', '/8', '10.0.0.0/a', '10.0.0.0/8/8', '10.0.0.0/-1'])(
    'refuses %j',
    (text) => {
      expect(parseCidr(text)).toBeUndefined();
    },
  );
  test.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/9', '10.128.0.0', false],
    ['10.0.0.0/8', '::1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['::/0', '1::', true],
  ])('%s contains %s: %s', (range, address, inside) => {
    const cidr = parseCidr(range);
    const ip = parseIp(address);
    expect(cidr && ip && cidrContains(cidr, ip)).toBe(inside);
  });
});

describe('specialUse', () => {
  test.each([
    '0.0.0.0',
    '::',
    '127.1.2.3',
    '::1',
    '169.254.1.1',
    'fe80::1',
    'febf::1',
    '224.0.0.9',
    'ff02::1',
    'ff12::1',
  ])('refuses %s', (text) => {
    expect(specialUse(parseIp(text) ?? new Uint8Array())).not.toBe('');
  });
  test.each(['10.0.0.1', '224.0.1.1', '255.255.255.255', 'fec0::1', 'ff05::1', '2001:db8::1', '::2'])(
    'allows %s',
    (text) => {
      expect(specialUse(parseIp(text) ?? new Uint8Array())).toBe('');
    },
  );
});
