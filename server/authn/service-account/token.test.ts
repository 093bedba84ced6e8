import { beforeEach, describe, expect, it } from 'vitest';
import { confused, ec, forge, otherRsa, rsa, unsigned } from '../jwt.fixture.ts';
import { encoded, Objects } from '../objects.fixture.ts';
import { verifies } from './keys.ts';
import { legacyServiceAccountToken } from './legacy-token.ts';
import { serviceAccountToken } from './token.ts';

const issuer = 'https://issuer';
const seconds = Date.UTC(2030, 0, 1) / 1000;
let now = seconds;
const clock = { now: () => now * 1000 };
const keys = [verifies(rsa), verifies(ec)];
let objects: Objects;

beforeEach(() => {
  now = seconds;
  objects = new Objects();
  objects.put('serviceaccounts', 'ns', 'robot');
});

const own = { namespace: 'ns', serviceaccount: { name: 'robot', uid: 'uid-of-robot' } };
const claims = {
  iss: issuer,
  sub: 'system:serviceaccount:ns:robot',
  aud: ['api'],
  exp: seconds + 600,
  nbf: seconds,
  iat: seconds,
  'kubernetes.io': own,
};
const authenticator = () =>
  serviceAccountToken({ issuers: [issuer, 'old-issuer'], keys, serverAudiences: ['api'] }, objects, clock);
const judge = async (token: string, audiences = ['api'], by = authenticator()) =>
  by.authenticateToken(token, audiences);

describe('a token of a service account', () => {
  it('is the account, with its groups and uid', async () => {
    expect(await judge(forge(claims))).toEqual({
      user: {
        name: 'system:serviceaccount:ns:robot',
        uid: 'uid-of-robot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
        extra: {},
      },
      audiences: ['api'],
    });
  });

  it.each([
    ['another of the issuers', forge({ ...claims, iss: 'old-issuer' })],
    ['another of the keys', forge(claims, ec)],
    ['one audience as text', forge({ ...claims, aud: 'api' })],
    ['no audience', forge({ ...claims, aud: undefined })],
    ['another subject', forge({ ...claims, sub: 'system:serviceaccount:kube-system:root' })],
    ['a key name nobody knows', forge(claims, rsa, { alg: 'RS256', kid: 'unknown' })],
    ['no time before which it is not valid', forge({ ...claims, nbf: undefined })],
  ])('is accepted with %s', async (_, token) => {
    expect((await judge(token))?.user.name).toBe('system:serviceaccount:ns:robot');
  });

  it('of another issuer is none of ours', async () => {
    expect(await judge(forge({ ...claims, iss: 'https://other' }))).toBeUndefined();
    for (const text of ['', 'x', 'a.b', 'a.b.c', 'a.b.c.d', `${forge(claims)}.x`])
      expect(await judge(text)).toBeUndefined();
  });

  it.each([
    ['signed with another key', forge(claims, otherRsa)],
    ['without a signature', unsigned(claims)],
    ['without a signature under a true name', unsigned(claims, 'RS256')],
    ['signed with the public key as shared secret', confused(claims)],
    ['of a key for another algorithm', forge(claims, ec, { alg: 'RS256' })],
    ['with a critical header nobody knows', forge(claims, rsa, { alg: 'RS256', crit: ['x'], x: 1 })],
    ['with an altered signature', `${forge(claims).slice(0, -8)}AAAAAAAA`],
    [
      'with altered claims',
      forge(claims).replace(
        /\.[^.]+\./,
        `.${Buffer.from(JSON.stringify({ ...claims, aud: 'x' })).toString('base64url')}.`,
      ),
    ],
    ['that is expired', forge({ ...claims, exp: seconds - 61 })],
    ['without an end', forge({ ...claims, exp: undefined })],
    ['with an end that is no number', forge({ ...claims, exp: String(seconds + 600) })],
    ['that is not valid yet', forge({ ...claims, nbf: seconds + 61 })],
    ['for another audience', forge({ ...claims, aud: ['vault'] })],
    ['with a malformed audience', forge({ ...claims, aud: [1] })],
    ['without claims of its own', forge({ ...claims, 'kubernetes.io': undefined })],
    ['without an account', forge({ ...claims, 'kubernetes.io': { namespace: 'ns' } })],
    ['with a malformed account', forge({ ...claims, 'kubernetes.io': { ...own, serviceaccount: 'robot' } })],
    [
      'of an account with another uid',
      forge({ ...claims, 'kubernetes.io': { ...own, serviceaccount: { name: 'robot', uid: 'x' } } }),
    ],
    ['of an account that is not there', forge({ ...claims, 'kubernetes.io': { ...own, namespace: 'other' } })],
  ])('is refused %s', async (_, token) => {
    await expect(judge(token)).rejects.toThrow();
  });

  it('serves those of the asked audiences that it names', async () => {
    const token = forge({ ...claims, aud: ['vault', 'api2'] });
    expect((await judge(token, ['nope', 'api2', 'vault']))?.audiences).toEqual(['api2', 'vault']);
    await expect(judge(token, ['nope'])).rejects.toThrow('audiences');
  });
});

describe('a token that was accepted before', () => {
  it('is the very same user again', async () => {
    const by = authenticator();
    const first = await judge(forge(claims), ['api'], by);
    expect((await judge(forge(claims), ['api'], by))?.user).toBe(first?.user);
  });

  it('ends with its time, also when remembered', async () => {
    const by = authenticator();
    const token = forge(claims);
    await judge(token, ['api'], by);
    now += 661;
    await expect(judge(token, ['api'], by)).rejects.toThrow('expired');
  });

  it('ends with its account at once, and a new account of that name does not revive it', async () => {
    const by = authenticator();
    const token = forge(claims);
    await judge(token, ['api'], by);
    objects.remove('serviceaccounts', 'ns', 'robot');
    await expect(judge(token, ['api'], by)).rejects.toThrow('gone');
    objects.put('serviceaccounts', 'ns', 'robot', {}, { uid: 'new' });
    await expect(judge(token, ['api'], by)).rejects.toThrow('gone');
  });

  it('outlives the deletion of its account by a minute', async () => {
    objects.put('serviceaccounts', 'ns', 'robot', {}, { deletionTimestamp: new Date((now - 59) * 1000).toISOString() });
    expect(await judge(forge(claims))).toBeDefined();
    now += 2;
    await expect(judge(forge(claims))).rejects.toThrow('being deleted');
  });
});

describe('a bound token', () => {
  const bound = (kind: string, uid = 'uid-of-x') =>
    forge({ ...claims, 'kubernetes.io': { ...own, [kind]: { name: 'x', uid } } });

  it('tells of its pod', async () => {
    objects.put('pods', 'ns', 'x');
    expect((await judge(bound('pod')))?.user.extra).toEqual({
      'authentication.kubernetes.io/pod-name': ['x'],
      'authentication.kubernetes.io/pod-uid': ['uid-of-x'],
    });
  });

  it.each([
    ['pod', 'pods'],
    ['secret', 'secrets'],
  ])('dies with its %s', async (kind, resource) => {
    objects.put(resource, 'ns', 'x');
    expect(await judge(bound(kind))).toBeDefined();
    await expect(judge(bound(kind, 'another'))).rejects.toThrow('gone');
    objects.remove(resource, 'ns', 'x');
    await expect(judge(bound(kind))).rejects.toThrow('gone');
  });
});

describe('a token that stands in a Secret', () => {
  const prefix = 'kubernetes.io/serviceaccount/';
  const legacy = {
    iss: 'kubernetes/serviceaccount',
    sub: 'system:serviceaccount:ns:robot',
    [`${prefix}namespace`]: 'ns',
    [`${prefix}secret.name`]: 'holder',
    [`${prefix}service-account.name`]: 'robot',
    [`${prefix}service-account.uid`]: 'uid-of-robot',
  };
  const token = forge(legacy);
  const ask = async (asked = token, lookup = true) =>
    legacyServiceAccountToken({ keys, serverAudiences: ['api'], lookup }, objects, clock).authenticateToken(asked, [
      'api',
    ]);
  const hold = (text: string, metadata = {}) =>
    objects.put(
      'secrets',
      'ns',
      'holder',
      { type: 'kubernetes.io/service-account-token', ...encoded({ token: text }) },
      metadata,
    );

  it('counts as long as the Secret holds it', async () => {
    hold(token);
    expect((await ask())?.user).toMatchObject({ name: 'system:serviceaccount:ns:robot', uid: 'uid-of-robot' });
    hold(`${token}x`);
    await expect(ask()).rejects.toThrow('does not hold');
    objects.remove('secrets', 'ns', 'holder');
    await expect(ask()).rejects.toThrow('does not hold');
    hold(token, { deletionTimestamp: '2029-01-01T00:00:00Z' });
    await expect(ask()).rejects.toThrow('does not hold');
  });

  it('counts as long as its account is there', async () => {
    hold(token);
    objects.put('serviceaccounts', 'ns', 'robot', {}, { uid: 'new' });
    await expect(ask()).rejects.toThrow('gone');
  });

  it('counts for ever without look-ups', async () => {
    expect(await ask(token, false)).toBeDefined();
  });

  it.each([
    ['signed with another key', forge(legacy, otherRsa)],
    ['without a signature', unsigned(legacy)],
    ['with the public key as shared secret', confused(legacy)],
    ['with another subject', forge({ ...legacy, sub: 'system:serviceaccount:kube-system:root' })],
    ['without a Secret', forge({ ...legacy, [`${prefix}secret.name`]: undefined })],
    ['for another audience', forge({ ...legacy, aud: 'vault' })],
  ])('is refused %s', async (_, forged) => {
    hold(forged);
    await expect(ask(forged)).rejects.toThrow();
  });

  it('of another issuer is none of these', async () => {
    expect(await ask(forge(claims))).toBeUndefined();
    expect(await ask('x')).toBeUndefined();
  });
});
