import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { filesIn, temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import type { KubeObject } from '../base/kube-object.ts';
import type { OperationInput } from '../kinds/strategy.ts';
import { optionsFrom, parseFlags } from '../options/command-line.ts';
import { authority, type Issued, issue, usage } from '../x509/certificates.fixture.ts';
import { credentials } from './credentials.fixture.ts';
import { authnFlags } from './flags.ts';
import { type Authentication, buildAuthentication } from './index.ts';
import { ec, forge, pemOf, privatePem, rsa } from './jwt.fixture.ts';
import { encoded, Objects } from './objects.fixture.ts';
import { type AuthnOptions, checkAuthnOptions } from './options.ts';
import { keySet, verifies } from './service-account/keys.ts';

const defaults = optionsFrom(parseFlags(authnFlags, [])) as unknown as AuthnOptions;
const folder = temporaryFolder();
const file = filesIn(folder);
const now = Date.now();
const clock = { now: () => Date.now() };
let authentication: Authentication | undefined;
afterEach(() => authentication?.stop());

function start(options: Partial<AuthnOptions>, objects = new Objects(), anonymousAllowed = true): Authentication {
  authentication = buildAuthentication({
    options: { ...defaults, ...options },
    lookup: objects,
    clock,
    anonymousAllowed,
  });
  return authentication;
}
const bearer = (token: string) => credentials([['Authorization', `Bearer ${token}`]]);
const nameOf = async (token: string) => (await authentication?.authenticate(bearer(token)))?.name;

describe('the ways that options turn on', () => {
  it('are service account tokens and anonymous callers alone, if none is given', async () => {
    const { authenticate } = start({});
    expect((await authenticate(credentials())).name).toBe('system:anonymous');
    await expect(authenticate(bearer('abcdef.0123456789abcdef'))).rejects.toMatchObject({ status: { code: 401 } });
    expect(authentication?.clientAuthorities()).toEqual([]);
  });

  it('are without anonymous callers by the flag, or where everything is allowed', async () => {
    const refusal = expect.objectContaining({ status: expect.objectContaining({ code: 401 }) });
    expect(() => start({ anonymousAuth: false }).authenticate(credentials())).toThrow(refusal);
    expect(() => start({}, new Objects(), false).authenticate(credentials())).toThrow(refusal);
  });

  it('hold tokens of a file and of Secrets', async () => {
    const objects = new Objects();
    const data = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true' };
    objects.put('secrets', 'kube-system', 'bootstrap-token-abcdef', {
      type: 'bootstrap.kubernetes.io/token',
      ...encoded(data),
    });
    start({ tokenAuthFile: file('tokens.csv', 't,bob,1\n'), enableBootstrapTokenAuth: true }, objects);
    expect(await nameOf('t')).toBe('bob');
    expect(await nameOf('abcdef.0123456789abcdef')).toBe('system:bootstrap:abcdef');
  });

  it('hold certificates of clients and of the proxy', async () => {
    const ca = await authority('ca', { from: now - 1e6, until: now + 1e9 });
    const proxyCa = await authority('proxy', { from: now - 1e6, until: now + 1e9 });
    const times = { from: now - 1e6, until: now + 1e9 };
    const alice = await issue({ name: 'CN=alice', ...times }, ca);
    const proxy = await issue({ name: 'CN=proxy', ...times }, proxyCa);
    const { authenticate, clientAuthorities } = start({
      clientCaFile: file('ca.crt', String(ca.certificate)),
      requestheaderClientCaFile: file('proxy.crt', String(proxyCa.certificate)),
      requestheaderUsernameHeaders: ['X-Remote-User'],
    });
    expect((await authenticate(credentials([], [alice.certificate]))).name).toBe('alice');
    expect((await authenticate(credentials([['X-Remote-User', 'fay']], [proxy.certificate]))).name).toBe('fay');
    expect(clientAuthorities()).toEqual([String(proxyCa.certificate), String(ca.certificate)]);
  });

  it('make tokens of service accounts and accept them', async () => {
    const objects = new Objects();
    objects.put('serviceaccounts', 'ns', 'robot');
    const { tokenRequest, tokenReview, serviceAccountIssuer } = start(
      { tlsPrivateKeyFile: file('tls.key', privatePem(ec)) },
      objects,
    );
    const context = { lookup: objects, clock, warn: () => {} };
    const made = await tokenRequest({ namespace: 'ns', name: 'robot', context } as unknown as OperationInput);
    const { token } = (made as unknown as { object: { status: { token: string } } }).object.status;
    expect(await nameOf(token)).toBe('system:serviceaccount:ns:robot');
    const body = { spec: { token } } as unknown as KubeObject;
    expect(await tokenReview({ body } as unknown as OperationInput)).toMatchObject({
      object: { status: { authenticated: true, audiences: ['https://kubernetes.default.svc'] } },
    });
    expect(serviceAccountIssuer.keySet()).toMatchObject({ keys: [{ kid: ec.id }] });
  });
});

describe('services of others, over TLS', () => {
  let ca: Issued;
  let server: https.Server;
  let answer: (path: string, body: string) => unknown;
  let url: string;
  const times = { from: now - 1e6, until: now + 1e9 };
  beforeAll(async () => {
    ca = await authority('ca', times);
    const own = await issue({ name: 'CN=localhost', usages: [usage.serverAuth], hosts: ['localhost'], ...times }, ca);
    const { KeyObject } = await import('node:crypto');
    const key = pemOf(KeyObject.from(own.keys.privateKey));
    server = https.createServer({ cert: String(own.certificate), key }, (incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('end', () => response.end(JSON.stringify(answer(incoming.url ?? '', String(Buffer.concat(chunks))))));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('are an OpenID Connect issuer, trusted by its CA file', async () => {
    answer = (path) => (path === '/keys' ? keySet([verifies(rsa)]) : { issuer: url, jwks_uri: `${url}/keys` });
    const token = forge({ iss: url, aud: 'client', sub: 'dora', tier: 'gold=1', exp: now / 1000 + 600 });
    const oidc = { oidcIssuerUrl: url, oidcClientId: 'client', oidcRequiredClaim: ['tier=gold=1'] };
    start({ ...oidc, oidcCaFile: file('oidc-ca.crt', String(ca.certificate)) });
    expect(await nameOf(token)).toBe(`${url}#dora`);
    start({ ...oidc, oidcCaFile: join(folder, 'oidc-ca.crt'), oidcUsernamePrefix: '-' });
    expect(await nameOf(token)).toBe('dora');
    start({ ...oidc, oidcCaFile: join(folder, 'oidc-ca.crt'), oidcUsernamePrefix: 'p:' });
    expect(await nameOf(token)).toBe('p:dora');
    start(oidc);
    await expect(nameOf(token)).rejects.toMatchObject({ status: { code: 401 } });
  });

  it('are a token webhook, named by a client configuration file', async () => {
    answer = (_, body) => {
      const review = JSON.parse(body) as { apiVersion: string; spec: { token: string } };
      return {
        apiVersion: review.apiVersion,
        kind: 'TokenReview',
        status: { authenticated: review.spec.token === 'hook', user: { username: 'erin' } },
      };
    };
    const cluster = {
      server: url,
      'certificate-authority-data': Buffer.from(String(ca.certificate)).toString('base64'),
    };
    const config = {
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'x' } }],
      clusters: [{ name: 'x', cluster }],
    };
    start({
      authenticationTokenWebhookConfigFile: file('webhook', JSON.stringify(config)),
      authenticationTokenWebhookVersion: 'v1',
    });
    expect(await nameOf('hook')).toBe('erin');
    await expect(nameOf('other')).rejects.toMatchObject({ status: { code: 401 } });
  });
});

describe('options', () => {
  it.each([
    ['a file that is not there', { clientCaFile: join(folder, 'none') }],
    ['authorities that are none', { clientCaFile: file('bad.crt', 'x') }],
    ['tokens that are none', { tokenAuthFile: file('bad.csv', 't,bob\n') }],
    ['keys that are none', { serviceAccountKeyFile: [file('bad.key', 'x')] }],
    ['no client configuration', { authenticationTokenWebhookConfigFile: file('bad.config', '{}') }],
  ])('do not start with %s', (_, options) => {
    expect(() => start(options)).toThrow();
  });

  const oidc = { oidcIssuerUrl: 'https://i', oidcClientId: 'c' };
  it.each([
    ['an issuer without a client', { oidcIssuerUrl: 'https://i' }],
    ['a client without an issuer', { oidcClientId: 'c' }],
    ['an issuer without TLS', { ...oidc, oidcIssuerUrl: 'http://i' }],
    ['an issuer that is no URL', { ...oidc, oidcIssuerUrl: 'i' }],
    ['a required claim without a value', { ...oidc, oidcRequiredClaim: ['tier'] }],
    ['a required claim without a name', { ...oidc, oidcRequiredClaim: ['=x'] }],
    ['no service account issuer', { serviceAccountIssuer: [] }],
    ['a malformed service account issuer', { serviceAccountIssuer: ['https://'] }],
    ['too short a limit for tokens', { serviceAccountMaxTokenExpiration: 60_000 }],
    ['a proxy without headers', { requestheaderClientCaFile: 'x' }],
    ['a negative time to keep answers', { authenticationTokenWebhookCacheTtl: -1 }],
  ])('are refused with %s', (_, options) => {
    expect(checkAuthnOptions({ ...defaults, ...options })).toHaveLength(1);
  });

  it('are good by default', () => {
    expect(checkAuthnOptions(defaults)).toEqual([]);
    expect(checkAuthnOptions({ ...defaults, ...oidc, oidcRequiredClaim: ['a=b'] })).toEqual([]);
  });
});
