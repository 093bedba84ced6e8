import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrapToken } from './bootstrap-token.ts';
import { encoded, Objects } from './objects.fixture.ts';

const now = Date.UTC(2030, 0, 1);
const id = 'abc123';
const secret = '0123456789abcdef';
const good = { 'token-id': id, 'token-secret': secret, 'usage-bootstrap-authentication': 'true' };

let objects: Objects;
beforeEach(() => {
  objects = new Objects();
});

function put(
  data: Record<string, string> = {},
  {
    type = 'bootstrap.kubernetes.io/token',
    namespace = 'kube-system',
    name = `bootstrap-token-${id}`,
    metadata = {},
  } = {},
) {
  const kept = Object.fromEntries(Object.entries({ ...good, ...data }).filter(([, value]) => value !== 'MISSING'));
  objects.put('secrets', namespace, name, { type, ...encoded(kept) }, metadata);
}
const authenticator = () => bootstrapToken(objects, { now: () => now }, ['api']);
const judge = (token = `${id}.${secret}`) => authenticator().authenticateToken(token, ['api']);

it('is the user of its id, with the group of bootstrappers', async () => {
  put();
  expect(await judge()).toEqual({
    user: {
      name: `system:bootstrap:${id}`,
      uid: '',
      groups: ['system:bootstrappers', 'system:authenticated'],
      extra: {},
    },
    audiences: ['api'],
  });
});

it('has its extra groups sorted and once', async () => {
  put({ 'auth-extra-groups': 'system:bootstrappers:zeta,system:bootstrappers:a:b-1,system:bootstrappers:zeta' });
  expect((await judge())?.user.groups).toEqual([
    'system:bootstrappers',
    'system:bootstrappers:a:b-1',
    'system:bootstrappers:zeta',
    'system:authenticated',
  ]);
});

it.each(['', '2030-01-01T00:00:01Z', '2030-01-01T02:00:00.5+01:00', '2029-12-31T23:30:00-01:00'])(
  'counts until %j',
  async (expiration) => {
    put({ expiration });
    expect(await judge()).toBeDefined();
  },
);

describe('is refused', () => {
  it.each([
    ['once expired', { expiration: '2029-12-31T23:59:59Z' }],
    ['at the very end', { expiration: '2030-01-01T00:00:00Z' }],
    ['when expired in another zone', { expiration: '2030-01-01T00:30:00+01:00' }],
    ['with an expiration that is no time', { expiration: 'tomorrow' }],
    ['with an expiration without a zone', { expiration: '2031-01-01T00:00:00' }],
    ['with an expiration that is only a day', { expiration: '2031-01-01' }],
    ['without the usage', { 'usage-bootstrap-authentication': 'MISSING' }],
    ['with the usage false', { 'usage-bootstrap-authentication': 'false' }],
    ['with the usage True', { 'usage-bootstrap-authentication': 'True' }],
    ['with the usage 1', { 'usage-bootstrap-authentication': '1' }],
    ['with another id', { 'token-id': 'zzzzzz' }],
    ['without an id', { 'token-id': 'MISSING' }],
    ['with another secret', { 'token-secret': 'fedcba9876543210' }],
    ['without a secret', { 'token-secret': 'MISSING' }],
    ['with an empty secret', { 'token-secret': '' }],
    ['with a group of others', { 'auth-extra-groups': 'system:bootstrappers:ok,admins' }],
    ['with the plain group as extra', { 'auth-extra-groups': 'system:bootstrappers' }],
    ['with a group without an end', { 'auth-extra-groups': 'system:bootstrappers:' }],
    ['with a group in upper case', { 'auth-extra-groups': 'system:bootstrappers:A' }],
    ['with a space before a group', { 'auth-extra-groups': 'system:bootstrappers:a, system:bootstrappers:b' }],
    ['with a comma at the end', { 'auth-extra-groups': 'system:bootstrappers:a,' }],
  ])('%s', async (_, data) => {
    put(data);
    await expect(judge()).rejects.toThrow();
  });

  it.each([
    ['of another type', { type: 'Opaque' }],
    ['in another namespace', { namespace: 'default' }],
    ['of another name', { name: 'bootstrap-other' }],
    ['that is being deleted', { metadata: { deletionTimestamp: '2029-12-31T00:00:00Z' } }],
  ])('in a Secret %s', async (_, place) => {
    put({}, place);
    await expect(judge()).rejects.toThrow('no such token');
  });

  it('in the same words, whether the id is unknown or the secret wrong', async () => {
    put();
    await expect(judge('zzzzzz.0123456789abcdef')).rejects.toThrow(/^no such token$/);
    await expect(judge(`${id}.fedcba9876543210`)).rejects.toThrow(/^no such token$/);
  });
});

it.each([
  'abc123',
  'ABC123.0123456789abcdef',
  'abc123.0123456789abcde',
  'abc123.0123456789abcdefg',
  'abc123.0123456789abcdef\n',
  '../../x.0123456789abcdef',
])('does not look at %j, which has another form', async (token) => {
  put();
  expect(await judge(token)).toBeUndefined();
});
