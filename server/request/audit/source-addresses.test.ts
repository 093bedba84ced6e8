import { describe, expect, it } from 'vitest';
import { sourceAddresses } from './source-addresses.ts';

describe('where a request comes from', () => {
  it.each([
    ['the other end alone', {}, '10.0.0.9', ['10.0.0.9']],
    [
      'proxies, and last the other end',
      { 'x-forwarded-for': '192.0.2.1, 192.0.2.2' },
      '10.0.0.9',
      ['192.0.2.1', '192.0.2.2', '10.0.0.9'],
    ],
    [
      'several headers',
      { 'x-forwarded-for': ['192.0.2.1', '192.0.2.2'] },
      '10.0.0.9',
      ['192.0.2.1', '192.0.2.2', '10.0.0.9'],
    ],
    [
      'what is no address is left out',
      { 'x-forwarded-for': 'unknown, 192.0.2.1' },
      '10.0.0.9',
      ['192.0.2.1', '10.0.0.9'],
    ],
    ['the address that one proxy tells', { 'x-real-ip': '192.0.2.3' }, '10.0.0.9', ['192.0.2.3', '10.0.0.9']],
    ['each once', { 'x-forwarded-for': '192.0.2.1', 'x-real-ip': '192.0.2.1' }, '192.0.2.1', ['192.0.2.1']],
    ['in the form of their family', { 'x-forwarded-for': 'FD00::1' }, '::ffff:127.0.0.1', ['fd00::1', '127.0.0.1']],
    ['a connection that is gone', {}, '', []],
  ])('%s', (_, headers, otherEnd, wanted) => {
    expect(sourceAddresses(headers, otherEnd)).toEqual(wanted);
  });
});
