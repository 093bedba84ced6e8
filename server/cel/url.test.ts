import { describe, expect, it } from 'vitest';
import { worked } from '../../fixtures/worked.fixture.ts';
import { parseUrl } from './url.ts';

describe('a parsed URL', () => {
  it.each([
    ['https://a/b?c=d', ['https', 'a', '/b', 'c=d']],
    ['HTTPS://A/B', ['https', 'A', '/B', '']],
    ['https://a/b#c?d', ['https', 'a', '/b', '']],
    ['/a?b#c', ['', '', '/a', 'b']],
    ['//a/b', ['', 'a', '/b', '']],
    ['///a', ['', '', '///a', '']],
    ['http://u:p@a:80', ['http', 'a:80', '', '']],
    ['mailto:a@b', ['mailto', '', '', '']],
    ['/a b%2Fc', ['', '', '/a%20b/c', '']],
    ['/ä', ['', '', '/%C3%A4', '']],
    ['/a!%41', ['', '', '/a!%41', '']],
  ] as const)('%s', (text, [scheme, host, path, query]) => {
    expect(parseUrl(text)).toMatchObject({ scheme, host, path, query });
  });

  it.each(['', 'a', 'a/b', ':a', '/%zz', 'http://a b', 'http://a:b', 'http://[::1', '//a:b/c', '/a#%zz', '/\n'])(
    'is none: %j',
    (text) => {
      expect(parseUrl(text)).toBeUndefined();
    },
  );

  it('takes linear time', () => {
    const began = worked();
    for (const unit of ['a', '%41', '%', '/', ':', '#', '?', '@', '[', 'ä', ' ']) {
      parseUrl(`/${unit.repeat(100_000)} `);
      parseUrl(`http://${unit.repeat(100_000)}`);
    }
    expect(worked() - began).toBeLessThan(5_000);
  });
});
