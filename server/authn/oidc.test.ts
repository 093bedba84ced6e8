import { beforeEach, describe, expect, it } from 'vitest';
import { confused, ec, forge, otherRsa, rsa, unsigned } from './jwt.fixture.ts';
import { type OidcOptions, openIdConnect } from './oidc.ts';
import { IssuerKeys } from './oidc-keys.ts';
import { keySet, type SigningKey, verifies } from './service-account/keys.ts';

const issuerUrl = 'https://issuer.example';
const start = Date.UTC(2030, 0, 1) / 1000;
let now = start;
const clock = { now: () => now * 1000 };

/** An issuer that a test may take down or give other keys. */
class Issuer {
  keys: object[] = [];
  down = false;
  questions = 0;
  document: object = { issuer: issuerUrl, jwks_uri: `${issuerUrl}/keys` };
  publish(...keys: readonly [SigningKey, string | undefined][]) {
    this.keys = keys.map(([key, kid]) => ({ ...keySet([verifies(key)]).keys[0], kid }));
  }
  fetch = async (url: URL) => {
    this.questions++;
    if (this.down) throw new Error('connection refused');
    if (url.href === `${issuerUrl}/.well-known/openid-configuration`) return this.document;
    if (url.href === `${issuerUrl}/keys`) return { keys: this.keys };
    throw new Error(`${url} answered 404`);
  };
}

let issuer: Issuer;
beforeEach(() => {
  now = start;
  issuer = new Issuer();
  issuer.publish([rsa, 'k1']);
});

const options: OidcOptions = {
  issuerUrl,
  clientId: 'client',
  usernameClaim: 'sub',
  usernamePrefix: `${issuerUrl}#`,
  groupsClaim: 'groups',
  groupsPrefix: 'oidc:',
  requiredClaims: new Map([['tier', 'gold']]),
  signingAlgorithms: ['RS256'],
  serverAudiences: ['api'],
};
const claims = { iss: issuerUrl, aud: 'client', sub: 'dora', groups: ['devs'], tier: 'gold', exp: start + 600 };
const header = { alg: 'RS256', kid: 'k1' };
const token = (more: object = {}, key = rsa, head: object = header) => forge({ ...claims, ...more }, key, head);

const make = (more: Partial<OidcOptions> = {}) =>
  openIdConnect({ ...options, ...more }, new IssuerKeys(issuerUrl, issuer.fetch, clock), clock);
const judge = async (text: string, by = make()) => (await by.authenticateToken(text, ['api']))?.user;

describe('who an id token names', () => {
  it('prefixes user and groups', async () => {
    expect(await judge(token())).toEqual({
      name: `${issuerUrl}#dora`,
      uid: '',
      groups: ['oidc:devs', 'system:authenticated'],
      extra: {},
    });
    expect(await judge(token({ sub: '' }))).toMatchObject({ name: `${issuerUrl}#` });
  });

  it.each([
    [undefined, []],
    [null, []],
    [[], []],
    ['one', ['oidc:one']],
    ['', ['oidc:']],
    [
      ['a', 'a'],
      ['oidc:a', 'oidc:a'],
    ],
    [['system:masters'], ['oidc:system:masters']],
  ])('takes %j for groups', async (groups, expected) => {
    expect((await judge(token({ groups })))?.groups).toEqual([...expected, 'system:authenticated']);
  });

  it('takes an e-mail address only if that is not unverified', async () => {
    const by = make({ usernameClaim: 'email', usernamePrefix: '' });
    const email = 'd@example.com';
    expect(await judge(token({ email }), by)).toMatchObject({ name: email });
    expect(await judge(token({ email, email_verified: true }), by)).toMatchObject({ name: email });
    await expect(judge(token({ email, email_verified: false }), by)).rejects.toThrow('not verified');
    await expect(judge(token({ email, email_verified: 'true' }), by)).rejects.toThrow('not verified');
  });
});

describe('an id token', () => {
  it.each([
    ['for several clients', token({ aud: ['other', 'client'] })],
    ['without the name of its key', token({}, rsa, { alg: 'RS256' })],
    ['that is valid in half a minute', token({ nbf: start + 30 })],
  ])('is accepted %s', async (_, text) => {
    expect(await judge(text)).toBeDefined();
  });

  it.each([
    ['for another client', token({ aud: 'other' })],
    ['for no client', token({ aud: undefined })],
    ['that is expired', token({ exp: start })],
    ['without an end', token({ exp: undefined })],
    ['that is not valid yet', token({ nbf: start + 120 })],
    ['without the required claim', token({ tier: undefined })],
    ['with another value of it', token({ tier: 'Gold' })],
    ['with a list of it', token({ tier: ['gold'] })],
    ['without a user', token({ sub: undefined })],
    ['with a number for a user', token({ sub: 7 })],
    ['with a number for groups', token({ groups: 7 })],
    ['with something else among its groups', token({ groups: ['a', 1] })],
    ['signed with another key', token({}, otherRsa)],
    ['under the name of an unknown key', token({}, rsa, { alg: 'RS256', kid: 'k2' })],
    ['signed by another algorithm', token({}, ec, { alg: 'ES256', kid: 'k1' })],
    ['without a signature', unsigned(claims)],
    ['with the public key as shared secret', confused(claims)],
    ['that is cut', token().slice(0, -6)],
  ])('is refused %s', async (_, text) => {
    await expect(judge(text)).rejects.toThrow();
  });

  it('of another issuer is none of ours', async () => {
    expect(await judge(token({ iss: `${issuerUrl}/` }))).toBeUndefined();
    expect(await judge('not a token')).toBeUndefined();
    expect(issuer.questions).toBe(0);
  });

  it('may be signed otherwise if the options say so', async () => {
    issuer.publish([ec, 'k1']);
    expect(
      await judge(token({}, ec, { alg: 'ES256', kid: 'k1' }), make({ signingAlgorithms: ['ES256'] })),
    ).toBeDefined();
  });

  it('ends with its time, also when remembered', async () => {
    const by = make();
    await judge(token(), by);
    now += 600;
    await expect(judge(token(), by)).rejects.toThrow('expired');
  });
});

describe('the issuer', () => {
  it('may be down at the start: tokens are refused, and accepted once it is there', async () => {
    issuer.down = true;
    const by = make();
    await expect(judge(token(), by)).rejects.toThrow('connection refused');
    issuer.down = false;
    await expect(judge(token(), by)).rejects.toThrow();
    now += 1;
    expect(await judge(token(), by)).toBeDefined();
  });

  it('may be down later: its known keys go on', async () => {
    const by = make();
    await judge(token(), by);
    issuer.down = true;
    expect(await judge(token({ sub: 'eve' }), by)).toBeDefined();
  });

  it('may change its keys, also under the same name', async () => {
    const by = make();
    await judge(token(), by);
    now += 1;
    issuer.publish([otherRsa, 'k2']);
    expect(await judge(token({}, otherRsa, { alg: 'RS256', kid: 'k2' }), by)).toBeDefined();
    await expect(judge(token({ sub: 'eve' }), by)).rejects.toThrow();
    now += 1;
    issuer.publish([rsa, 'k2']);
    expect(await judge(token({ sub: 'fay' }, rsa, { alg: 'RS256', kid: 'k2' }), by)).toBeDefined();
  });

  it('is asked once a second at most, however many bad tokens come', async () => {
    const by = make();
    await Promise.allSettled(Array.from({ length: 50 }, (_, i) => judge(token({ sub: `u${i}` }, otherRsa), by)));
    expect(issuer.questions).toBe(2);
  });

  it.each([
    ['another issuer', { issuer: 'https://evil', jwks_uri: `${issuerUrl}/keys` }],
    ['no key set', { issuer: issuerUrl }],
    ['a key set without TLS', { issuer: issuerUrl, jwks_uri: 'http://issuer.example/keys' }],
  ])('does not count with a discovery document of %s', async (_, document) => {
    issuer.document = document;
    await expect(judge(token())).rejects.toThrow('discovery document');
  });

  it('may publish keys that are not for signatures or of no use here', async () => {
    issuer.publish([rsa, 'k1']);
    issuer.keys.unshift(
      { kty: 'oct', k: 'c2VjcmV0', kid: 'k1' },
      { kty: 'RSA', use: 'enc' },
      { kty: 'XYZ' },
      null as never,
    );
    expect(await judge(token())).toBeDefined();
  });
});
