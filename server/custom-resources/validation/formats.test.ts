import { describe, expect, it } from 'vitest';
import { worked } from '../../../fixtures/worked.fixture.ts';
import { formatNamed } from './formats.ts';

const cases: readonly [format: string, good: readonly string[], bad: readonly string[]][] = [
  ['date', ['2020-02-29', '1999-12-31'], ['2021-02-29', '2020-13-01', '2020-1-1', 'x']],
  [
    'date-time',
    ['2020-12-01T00:00:00Z', '2020-12-01t23:59:59.123+05:30'],
    ['2020-12-01', '2020-12-01T24:00:00Z', '2020-12-01T00:00:00', 'yesterday'],
  ],
  [
    'duration',
    ['1h', '1h30m', '300ms', '1.5h', '3 days', '0', 'P1D', '2 weeks', '3 nanoseconds'],
    ['x', '1', 'h', '', '1y'],
  ],
  ['ipv4', ['1.2.3.4', '01.2.003.4'], ['1.2.3', '1.2.3.256', '::1']],
  ['ipv6', ['::1', 'fe80::1', '::ffff:1.02.3.4'], ['1.2.3.4', 'fe80::1%eth0']],
  ['cidr', ['10.0.0.0/8', 'fd00::/128'], ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/08', 'fd00::/129', 'x/64']],
  [
    'mac',
    [
      ...['01:23:45:67:89:ab', '01-23-45-67-89-AB', '0123.4567.89ab', '0123.4567.89ab.cdef'],
      '0123.4567.89ab.cdef.0123.4567.89ab.cdef.0123.4567',
    ],
    ['01:23:45:67:89', '01:23-45:67:89:ab', '0123.4567.89ab.cdef.0123', 'x'],
  ],
  [
    'uuid',
    ['11111111-1111-4111-8111-111111111111', '11111111111141118111111111111111'],
    ['x', '11111111-1111-4111-8111-11111111111'],
  ],
  ['uuid4', ['11111111-1111-4111-8111-111111111111'], ['11111111-1111-3111-8111-111111111111']],
  ['email', ['a@b.c', 'A B <a@b.c>', 'a@localhost'], ['x', '@b', 'a@', 'a b@c']],
  [
    'uri',
    ['https://example.com/x?y#z', '/path', '/a path', 'urn:x:y', 'mailto:', 'http://u:p@[::1]:80', '//', '*'],
    [
      '',
      'x y',
      'no-scheme',
      'http://%zz',
      'http://a b',
      'http://a:b',
      'http://[::1',
      'http://a#b',
      '/%zz',
      ':a',
      '/\n',
    ],
  ],
  [
    'hostname',
    ['example.com', 'a', 'x-y.example', 'a-b'],
    ['-a', 'a..b', '', 'a_b', 'x.example.', 'a.b', 'ab-c', 'a.b1'],
  ],
  ['byte', ['eA==', 'aGk='], ['%', '', 'a', 'eA=']],
  ['hexcolor', ['#fff', 'A1B2C3'], ['#ffff', 'red']],
  ['rgbcolor', ['rgb(0, 128,255)'], ['rgb(0,0,256)', 'rgb(0,0)']],
  ['isbn', ['0-306-40615-2', '978-0-306-40615-7'], ['0-306-40615-3']],
  [
    'creditcard',
    ['4111 1111 1111 1111', '4111x1111-1111.1111', '378282246310005'],
    ['4111 1111 1111 1112', '0000000000000000', '1234567812345670', ''],
  ],
  ['ssn', ['123-45-6789'], ['12-345-6789', '123456789']],
  ['bsonobjectid', ['507f1f77bcf86cd799439011'], ['507f1f77bcf86cd79943901']],
];

describe.each(cases)('%s', (format, good, bad) => {
  it.each(good)('takes %j', (text) => {
    expect(formatNamed(format)?.(text)).toBe(true);
  });
  it.each(bad)('refuses %j', (text) => {
    expect(formatNamed(format)?.(text)).toBe(false);
  });
});

describe('formats in general', () => {
  it('unknown ones are not checked', () => {
    expect(formatNamed('int32')).toBeUndefined();
    expect(formatNamed('made-up')).toBeUndefined();
  });
  it('take linear time', () => {
    const started = worked();
    for (const [format] of cases)
      for (const unit of ['a', '1', '-', '.', ':', ' ', '1h', 'a@', '"', '(', 'a.'])
        formatNamed(format)?.(unit.repeat(30_000));
    expect(worked() - started).toBeLessThan(3000);
  });
});
