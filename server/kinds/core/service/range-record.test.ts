import { describe, expect, it } from 'vitest';
import { TakenError } from '../../../store/store.ts';
import { withNoted } from './range-record.ts';

const data = (...bytes: number[]) => Buffer.from(bytes).toString('base64');
const addresses = { range: '10.0.0.0/24', data: data(0b1000_0001) };
const ports = { range: '30000-32767', data: '' };

describe('a record of what Services have', () => {
  it.each([
    ['takes the second address', addresses, ['addresses/10.0.0.2'], [], data(0b1000_0011)],
    ['takes an address beyond those noted', addresses, ['addresses/10.0.0.9'], [], data(1, 0b1000_0001)],
    [
      'takes the last address',
      { ...addresses, data: '' },
      ['addresses/10.0.0.254'],
      [],
      data(0x20, ...Array(31).fill(0)),
    ],
    ['gives back the first', addresses, [], ['addresses/10.0.0.1'], data(0b1000_0000)],
    ['gives one for another', addresses, ['addresses/10.0.0.3'], ['addresses/10.0.0.8'], data(0b101)],
    ['gives back the only one', { ...addresses, data: data(1) }, [], ['addresses/10.0.0.1'], ''],
    ['takes ports', ports, ['ports/30000', 'ports/30009'], [], data(2, 1)],
    ['takes addresses of IPv6', { range: 'fd00::/112', data: '' }, ['addresses/fd00::1'], [], data(1)],
  ])('%s', (_what, record, takes, returns, changed) => {
    expect(withNoted(record, takes, returns)).toEqual({ ...record, data: changed });
  });

  it.each([
    ['a port is no address', addresses, ['ports/30000']],
    ['an address of another range', addresses, ['addresses/10.1.0.3', 'addresses/fd00::1']],
    ['the broadcast address', addresses, ['addresses/10.0.0.255', 'addresses/10.0.0.0']],
    ['a port of another range', ports, ['ports/40000', 'ports/1']],
    ['a range that is none', { range: 'nonsense', data: '' }, ['ports/30000']],
    ['nothing', addresses, []],
  ])('does not speak of others: %s', (_what, record, takes) => {
    expect(withNoted(record, takes, [])).toBe(record);
  });

  it('refuses what another has', () => {
    expect(() => withNoted(addresses, ['addresses/10.0.0.8'], [])).toThrow(TakenError);
  });
});
