import { beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../base/kube-object.ts';
import type { OperationInput } from '../kinds/strategy.ts';
import { authority, type Issued, issue, year2030 } from '../x509/certificates.fixture.ts';
import { authentication, bearerToken, judgeToken, readBearer } from './authentication.ts';
import type { Authenticator } from './authenticator.ts';
import { CertificateAuthority } from './certificate-authority.ts';
import { clientCertificate } from './client-certificate.ts';
import { credentials } from './credentials.fixture.ts';
import { knownUser, noExtra } from './known-user.ts';
import { proxyHeaders } from './proxy-headers.ts';
import type { TokenAuthenticator } from './token-authenticator.ts';
import { tokenReview } from './token-review.ts';

const clock = { now: () => year2030 };
const known = (name: string, ...groups: string[]) => knownUser({ name, uid: '', groups, extra: noExtra });
const accepts = (token: string, name: string): TokenAuthenticator => ({
  name,
  authenticateToken: async (text, audiences) => (text === token ? { user: known(name), audiences } : undefined),
});
const throws = (message: string): TokenAuthenticator => ({
  name: message,
  authenticateToken: () => {
    throw new Error(message);
  },
});

describe('the group of everybody authenticated', () => {
  it.each([
    ['bob', [], ['system:authenticated']],
    ['bob', ['a', 'a'], ['a', 'a', 'system:authenticated']],
    ['bob', ['system:authenticated', 'a'], ['system:authenticated', 'a']],
    ['bob', ['system:unauthenticated'], ['system:unauthenticated']],
    ['system:anonymous', ['a'], ['a']],
  ])('%s with %j has %j', (name, groups, expected) => {
    expect(known(name, ...groups).groups).toEqual(expected);
  });
});

describe('the Authorization header', () => {
  it.each([
    ['Bearer tok', { token: 'tok' }],
    ['bearer tok', { token: 'tok' }],
    ['BEARER tok', { token: 'tok' }],
    ['Bearer tok rest', { token: 'tok' }],
    ['Bearer tok ', { token: 'tok' }],
    ['Bearer', {}],
    ['Bearer ', {}],
    ['Basic dTpw', {}],
    ['tok', {}],
    ['', {}],
  ])('%j holds %o', (header, expected) => {
    expect(readBearer([header])).toEqual(expected);
  });

  it('ignores a token after two spaces, and says so', () => {
    expect(readBearer(['Bearer  tok'])).toEqual({ warning: expect.stringContaining('extra space') });
  });

  it('takes no header for no credential, and two for one that nobody accepts', () => {
    expect(readBearer([])).toEqual({});
    expect(readBearer(['Bearer one', 'Bearer two'])).toEqual({ token: '' });
  });
});

describe('bearer tokens', () => {
  it('are accepted by the first that knows them, whoever refused before', async () => {
    const list = [throws('no'), accepts('t', 'first'), accepts('t', 'second')];
    expect((await judgeToken(list, 't', ['api'])).user.name).toBe('first');
  });

  it('that nobody accepts are refused with all reasons', async () => {
    const judge = async (list: TokenAuthenticator[], token: string) => judgeToken(list, token, []);
    await expect(judge([throws('a'), accepts('x', 'y'), throws('b')], 't')).rejects.toThrow('a, b');
    await expect(judge([], 't')).rejects.toThrow('invalid bearer token');
    await expect(judge([accepts('', 'nobody')], '')).rejects.toThrow('invalid bearer token');
  });
});

describe('several ways in one request', () => {
  let ca: Issued;
  let proxyCa: Issued;
  let alice: Issued;
  let stranger: Issued;
  let proxy: Issued;
  let badProxy: Issued;
  let ways: readonly Authenticator[];
  beforeAll(async () => {
    ca = await authority('ca');
    proxyCa = await authority('proxy-ca');
    alice = await issue({ name: 'CN=alice' }, ca);
    stranger = await issue({ name: 'O=system:masters, CN=stranger' }, await authority('other'));
    proxy = await issue({ name: 'CN=front-proxy' }, proxyCa);
    badProxy = await issue({ name: 'CN=not-allowed' }, proxyCa);
    const options = {
      usernameHeaders: ['X-Remote-User', 'X-Other-User'],
      groupHeaders: ['X-Remote-Group'],
      extraHeaderPrefixes: ['X-Remote-Extra-'],
      allowedNames: ['front-proxy'],
    };
    ways = [
      proxyHeaders(new CertificateAuthority([proxyCa.certificate], clock), options),
      clientCertificate(new CertificateAuthority([ca.certificate], clock)),
      bearerToken([accepts('bobtoken', 'bob')], ['api']),
    ];
  });

  type Headers = readonly (readonly [string, string])[];
  const who = async (headers: Headers, certificate?: Issued, anonymousAllowed = true) =>
    authentication(ways, anonymousAllowed)(credentials(headers, certificate ? [certificate.certificate] : []));
  const bob = ['Authorization', 'Bearer bobtoken'] as const;
  const wrong = ['Authorization', 'Bearer wrong'] as const;
  const fay = ['X-Remote-User', 'fay'] as const;
  const masters = ['X-Remote-Group', 'system:masters'] as const;

  it.each([
    ['no credential', [], undefined, 'system:anonymous'],
    ['a token', [bob], undefined, 'bob'],
    ['a certificate', [], () => alice, 'alice'],
    ['a certificate and a token', [bob], () => alice, 'alice'],
    ['a certificate and a wrong token', [wrong], () => alice, 'alice'],
    ['a stranger certificate and a token', [bob], () => stranger, 'bob'],
    ['proxy headers and a token', [fay, bob], () => proxy, 'fay'],
    ['the proxy itself and a token', [bob], () => proxy, 'bob'],
    ['proxy headers with a certificate of a client', [fay, masters], () => alice, 'alice'],
    ['proxy headers without a certificate', [fay, masters], undefined, 'system:anonymous'],
    ['proxy headers with a token', [fay, masters, bob], undefined, 'bob'],
    ['a proxy that is not allowed and a token', [fay, bob], () => badProxy, 'bob'],
  ] as [string, Headers, (() => Issued) | undefined, string][])('%s', async (_, headers, certificate, name) => {
    const user = await who(headers, certificate?.());
    expect(user.name).toBe(name);
    if (name !== 'fay') expect(user.groups).not.toContain('system:masters');
  });

  it.each([
    ['a wrong token', [wrong], undefined],
    ['a stranger certificate', [], () => stranger],
    ['both', [wrong], () => stranger],
    ['a proxy that is not allowed', [fay], () => badProxy],
    ['the proxy without a user', [masters], () => proxy],
    ['the proxy with an empty user', [['X-Remote-User', '']], () => proxy],
    ['proxy headers with a stranger certificate', [fay], () => stranger],
    ['two tokens', [bob, bob], undefined],
  ] as [string, Headers, (() => Issued) | undefined][])('%s: 401, never anonymous', async (_, headers, certificate) => {
    await expect(who(headers, certificate?.())).rejects.toMatchObject({
      status: { code: 401, reason: 'Unauthorized', message: 'Unauthorized' },
    });
  });

  it('does not know anonymous callers where they are not allowed', async () => {
    await expect(who([], undefined, false)).rejects.toMatchObject({ status: { code: 401 } });
    expect((await who([bob], undefined, false)).name).toBe('bob');
  });

  describe('the proxy names', () => {
    it('a user, one group a header, and extras with decoded keys', async () => {
      const headers: Headers = [
        ['x-remote-user', 'fay'],
        ['X-REMOTE-GROUP', 'g1,g2'],
        ['X-Remote-Group', ''],
        ['X-Remote-Group', 'g3'],
        ['X-Remote-Extra-Scopes', 'read'],
        ['X-Remote-Extra-Scopes', 'write'],
        ['X-Remote-Extra-Acme.Com%2FTeam', 'blue'],
        ['X-Remote-Extra-Bad%zz', 'x'],
        ['X-Remote-Extra-', ''],
      ];
      expect(await who(headers, proxy)).toEqual({
        name: 'fay',
        uid: '',
        groups: ['g1,g2', 'g3', 'system:authenticated'],
        extra: { scopes: ['read', 'write'], 'acme.com/team': ['blue'], 'bad%zz': ['x'], '': [''] },
      });
    });

    it('the user in the first of its headers that has a value', async () => {
      expect(
        (
          await who(
            [
              ['X-Remote-User', ''],
              ['X-Other-User', 'gus'],
            ],
            proxy,
          )
        ).name,
      ).toBe('gus');
      expect((await who([['X-Other-User', 'gus'], fay], proxy)).name).toBe('fay');
    });

    it('people in any script', async () => {
      const utf8 = Buffer.from('zoë').toString('latin1');
      expect((await who([['X-Remote-User', utf8]], proxy)).name).toBe('zoë');
    });

    it.each([
      ['the user twice', [fay, ['X-Remote-User', 'root']]],
      ['the user twice, alike', [fay, fay]],
      ['the user beside an underscored double', [fay, ['X_Remote_User', 'root']]],
      ['an underscored group', [fay, ['X-Remote_Group', 'system:masters']]],
      ['an underscored extra', [fay, ['x_remote_extra_scopes', 'all']]],
    ] as [string, Headers][])('nobody when it sends %s', async (_, headers) => {
      await expect(who(headers, proxy)).rejects.toMatchObject({ status: { code: 401 } });
    });
  });
});

describe('TokenReview', () => {
  const judge = async (token: string, audiences: readonly string[]) =>
    judgeToken([accepts('t', 'bob'), throws('unknown key')], token, audiences);
  const review = async (spec: object | undefined, metadata: object = {}, status?: object) => {
    const body = spec && ({ kind: 'TokenReview', apiVersion: '', metadata, spec, status } as KubeObject);
    const answer = await tokenReview(judge, ['api'])({ body } as unknown as OperationInput);
    return (answer as { object: KubeObject }).object;
  };

  it('shows whom a token stands for', async () => {
    expect(await review({ token: 't' }, { name: 'kept', namespace: 'gone' })).toEqual({
      kind: 'TokenReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name: 'kept' },
      spec: { token: 't' },
      status: { authenticated: true, user: { username: 'bob', groups: ['system:authenticated'] }, audiences: ['api'] },
    });
    expect((await review({ token: 't', audiences: ['vault'] })).status).toMatchObject({ audiences: ['vault'] });
  });

  it('shows why a token is refused, and never calls it authenticated', async () => {
    expect((await review({ token: 'x' })).status).toEqual({ user: {}, error: 'unknown key' });
  });

  it('replaces only what it judges of a status that was sent', async () => {
    const sent = { authenticated: true, user: { username: 'eve' }, audiences: ['a'], error: 'e' };
    expect((await review({ token: 'x' }, {}, sent)).status).toEqual({
      user: { username: 'eve' },
      audiences: ['a'],
      error: 'unknown key',
    });
    expect((await review({ token: 't' }, {}, sent)).status).toMatchObject({
      authenticated: true,
      user: { username: 'bob' },
      audiences: ['api'],
      error: 'e',
    });
  });

  it.each([undefined, {}, { token: '' }, { token: 7 }])('needs a token: %j', async (spec) => {
    await expect(review(spec)).rejects.toMatchObject({ status: { code: 400 } });
  });
});
