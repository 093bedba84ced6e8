import { describe, expect, test } from 'vitest';
import { curlOf, type Exchange, excerpt, publishable, redact, shorten } from './exchange.ts';

const exchange: Exchange = {
  method: 'POST',
  url: "https://10.0.0.1/api/v1/secrets?labelSelector=a='b'",
  requestHeaders: { authorization: 'Bearer abc.def', 'content-type': 'application/json', 'impersonate-user': 'jane' },
  requestBody: '{"spec":{"token":"abc.def"}}',
  status: 201,
  answerHeaders: {},
  answerBody: '{"status":{"token":"ey.secret","expirationTimestamp":"x"}}',
  milliseconds: 3,
};

describe('curl', () => {
  test('repeats the request without its secrets', () => {
    const command = curlOf(exchange);
    expect(command).toContain(
      `curl -sS --globoff -X POST 'https://10.0.0.1/api/v1/secrets?labelSelector=a='\\''b'\\'''`,
    );
    expect(command).toContain('-H "Authorization: Bearer $TOKEN"');
    expect(command).toContain("-H 'impersonate-user: jane'");
    expect(command).toContain(`--data-binary '{"spec":{"token":"REDACTED"}}'`);
    expect(command).not.toContain('abc.def');
  });

  test('is short for a plain GET', () => {
    expect(curlOf({ ...exchange, method: 'GET', url: 'http://h/', requestHeaders: {}, requestBody: '' })).toBe(
      "curl -sS --globoff 'http://h/'",
    );
  });
});

describe('what is published', () => {
  test('holds neither tokens of headers nor of bodies', () => {
    const text = JSON.stringify(publishable(exchange));
    expect(text).not.toContain('abc.def');
    expect(text).not.toContain('ey.secret');
    expect(text).toContain('Bearer REDACTED');
    expect(text).toContain('expirationTimestamp');
  });

  test.each([
    ['-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----', 'REDACTED PRIVATE KEY'],
    ['"password" : "a\\"b"', '"password" : "REDACTED"'],
    ['"client-key-data":"x"', '"client-key-data":"REDACTED"'],
    ['"tokenCount":"3"', '"tokenCount":"3"'],
  ])('%s becomes %s', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  test('is cut when it is long, and says so', () => {
    expect(shorten('abcdef', 4)).toBe('abcd… (2 more characters)');
    expect(shorten('abcd', 4)).toBe('abcd');
  });

  test('is read from bytes as far as it is shown, and no character in part', () => {
    expect(excerpt(Buffer.from('grün'), 5)).toBe('grün');
    expect(excerpt(Buffer.from('grün'), 3)).toBe('gr… (2 more bytes)');
  });

  test('says in a report how long it was', () => {
    const answerBody = excerpt(Buffer.alloc(20_000, 'a'));
    expect(publishable({ ...exchange, answerBody }).answerBody).toMatch(/^a+… \(3680 more bytes\)$/);
  });
});
