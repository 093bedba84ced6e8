import { describe, expect, it } from 'vitest';
import { StatusError } from '../base/status-error.ts';
import { wellFormed } from './access.ts';
import type { Exchange } from './exchange.ts';
import { identify, noticedIn } from './identify.ts';

const judge = (url: string, method = 'GET', rawHeaders: readonly string[] = []) => {
  try {
    const incoming = { httpVersionMajor: 1 };
    const noticed = noticedIn(rawHeaders);
    return wellFormed({ info: identify(method, url), noticed, incoming } as unknown as Exchange, {} as never);
  } catch (error) {
    if (error instanceof StatusError) return { code: error.status.code };
    throw error;
  }
};

describe('a timeout', () => {
  it.each(['', '0', '1s', '-1s', '1.5h', '.5m', '1h2m3.5s', '10ms', '1us', '5%C2%B5s'])(
    'is a duration: %j',
    (timeout) => {
      expect(judge(`/api/v1/pods?timeout=${timeout}`)).toBeUndefined();
    },
  );

  it.each(['1', 'true', 'abc', '1d', 's', '.s', '1s2', '%20', '-1'])('is refused when it is none: %j', (timeout) => {
    for (const url of ['/api/v1/pods', '/apis/apps/v1/namespaces/a/deployments/b', '/healthz'])
      expect(judge(`${url}?timeout=${timeout}`, 'PUT')).toEqual({ code: 400 });
  });

  it('is not looked at by what lasts', () => {
    for (const url of ['/api/v1/pods?watch=1&timeout=x', '/api/v1/namespaces/a/pods/b/log?timeout=x'])
      expect(judge(url)).toBeUndefined();
  });
});

describe('a host', () => {
  it('is named once', () => {
    expect(judge('/healthz', 'GET', ['Host', 'a', 'Accept', 'host'])).toBeUndefined();
    expect(judge('/healthz', 'GET', ['Host', 'a', 'Accept', 'x', 'HOST', 'a'])).toMatchObject({
      code: 400,
      headers: { connection: 'close' },
    });
  });
});

describe('a path', () => {
  it.each(['%', '%z', '%zz', 'a%2'])('with a broken escape is no request: %j', (name) => {
    expect(judge(`/api/v1/namespaces/a/configmaps/${name}`)).toMatchObject({ code: 400, body: '400 Bad Request' });
  });

  it('with whole ones is one', () => expect(judge('/api/v1/namespaces/a/configmaps/%6f%2F')).toBeUndefined());
});
