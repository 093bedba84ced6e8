import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../base/kube-object.ts';
import type { OperationInput } from '../../kinds/strategy.ts';
import { rsa } from '../jwt.fixture.ts';
import { peek } from '../jwt.ts';
import { Objects } from '../objects.fixture.ts';
import { verifies } from './keys.ts';
import { serviceAccountToken } from './token.ts';
import { type TokenRequestOptions, tokenRequest } from './token-request.ts';

const seconds = Date.UTC(2030, 0, 1) / 1000;
const clock = { now: () => seconds * 1000 + 250 };
const options: TokenRequestOptions = {
  issuer: 'https://issuer',
  signing: rsa,
  serverAudiences: ['api'],
  longestSeconds: 0,
  extend: true,
};
let objects: Objects;
let warnings: string[];
beforeEach(() => {
  objects = new Objects();
  warnings = [];
  objects.put('serviceaccounts', 'ns', 'robot');
  objects.put('pods', 'ns', 'runner', { spec: { serviceAccountName: 'robot' } });
  objects.put('secrets', 'ns', 'lock');
});

async function request(
  spec: object = {},
  more: { metadata?: object; name?: string; options?: Partial<TokenRequestOptions>; manager?: string } = {},
) {
  const body = {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: more.metadata ?? {},
    spec,
  } as KubeObject;
  const context = { lookup: objects, clock, warn: (text: string) => warnings.push(text), manager: more.manager };
  const input = { body, namespace: 'ns', name: more.name ?? 'robot', context } as unknown as OperationInput;
  const answer = await tokenRequest({ ...options, ...more.options })(input);
  const { object, code } = answer as { object: KubeObject; code: number };
  const { token, expirationTimestamp } = object.status as { token: string; expirationTimestamp: string };
  return {
    code,
    object,
    token,
    expirationTimestamp,
    claims: peek(token)?.claims,
    header: peek(token)?.header,
  };
}
const status = (code: number, message: string, details?: object) => ({
  status: { code, message: expect.stringContaining(message), ...(details && { details }) },
});

describe('a token is made', () => {
  it('for the server and an hour, if nothing is asked', async () => {
    const made = await request();
    expect(made).toMatchObject({
      code: 201,
      expirationTimestamp: '2030-01-01T01:00:00Z',
      object: {
        metadata: { name: 'robot', namespace: 'ns', creationTimestamp: '2030-01-01T00:00:00Z' },
        spec: { audiences: ['api'], expirationSeconds: 3600 },
      },
      header: { alg: 'RS256', kid: rsa.id },
    });
    expect(made.claims).toEqual({
      iss: 'https://issuer',
      sub: 'system:serviceaccount:ns:robot',
      aud: ['api'],
      iat: seconds,
      nbf: seconds,
      exp: seconds + 3600,
      'kubernetes.io': { namespace: 'ns', serviceaccount: { name: 'robot', uid: 'uid-of-robot' } },
    });
  });

  it('that this server accepts', async () => {
    const { token } = await request();
    const authenticator = serviceAccountToken(
      { issuers: ['https://issuer'], keys: [verifies(rsa)], serverAudiences: ['api'] },
      objects,
      clock,
    );
    expect(await authenticator.authenticateToken(token, ['api'])).toMatchObject({ user: { uid: 'uid-of-robot' } });
  });

  it('for the audiences and the time asked', async () => {
    const made = await request({ audiences: ['a', 'a', ''], expirationSeconds: 600 });
    expect(made.claims).toMatchObject({ aud: ['a', 'a', ''], exp: seconds + 600 });
    expect((await request({ audiences: [], expirationSeconds: null })).claims).toMatchObject({
      aud: ['api'],
      exp: seconds + 3600,
    });
  });

  it('bound to a Pod of the account or a Secret', async () => {
    const pod = await request({
      boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'runner', uid: 'uid-of-runner' },
    });
    expect(pod.claims?.['kubernetes.io']).toMatchObject({ pod: { name: 'runner', uid: 'uid-of-runner' } });
    const secret = await request({ boundObjectRef: { kind: 'Secret', name: 'lock' } });
    expect(secret.claims?.['kubernetes.io']).toMatchObject({ secret: { name: 'lock', uid: 'uid-of-lock' } });
    expect(secret.object.spec).toMatchObject({ boundObjectRef: { kind: 'Secret', name: 'lock' } });
    expect((secret.object.spec as { boundObjectRef: object }).boundObjectRef).not.toHaveProperty('uid');
  });

  it('and tells which fields its maker set', async () => {
    const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name: 'lock' };
    const { object } = await request({ audiences: ['a'], boundObjectRef }, { manager: 'me' });
    expect(object.metadata.managedFields).toEqual([
      {
        manager: 'me',
        operation: 'Update',
        apiVersion: 'authentication.k8s.io/v1',
        time: '2030-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:spec': {
            'f:audiences': {},
            'f:boundObjectRef': { 'f:apiVersion': {}, 'f:kind': {}, 'f:name': {} },
            'f:expirationSeconds': {},
          },
        },
        subresource: 'token',
      },
    ]);
  });

  it('no longer than the server permits, which it says', async () => {
    const made = await request({ expirationSeconds: 9000 }, { options: { longestSeconds: 7200 } });
    expect(made.claims?.exp).toBe(seconds + 7200);
    expect(warnings).toEqual(['requested expiration of 9000 seconds shortened to 7200 seconds']);
  });
});

describe('a mounted token', () => {
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'runner' };
  it('lives for a year, warns after its proper time, and does not say so', async () => {
    const made = await request({ expirationSeconds: 3607, boundObjectRef });
    expect(made.claims?.exp).toBe(seconds + 31_536_000);
    expect(made.claims?.['kubernetes.io']).toMatchObject({ warnafter: seconds + 3607 });
    expect(made.expirationTimestamp).toBe('2030-01-01T01:00:07Z');
  });

  it.each([
    ['another time', { expirationSeconds: 3608, boundObjectRef }, {}],
    ['another audience', { expirationSeconds: 3607, boundObjectRef, audiences: ['vault'] }, {}],
    ['no Pod', { expirationSeconds: 3607 }, {}],
    ['a server that does not do that', { expirationSeconds: 3607, boundObjectRef }, { extend: false }],
  ])('lives as long as asked with %s', async (_, spec, more) => {
    const { claims } = await request(spec, { options: more });
    expect(claims?.exp).toBe(seconds + (spec.expirationSeconds ?? 0));
    expect(claims?.['kubernetes.io']).not.toHaveProperty('warnafter');
  });
});

describe('a request is refused', () => {
  const invalid = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
  it.each([
    ['for too short a time', { expirationSeconds: 599 }, 422, 'less than 10 minutes'],
    ['for no time', { expirationSeconds: 0 }, 422, 'less than 10 minutes'],
    ['for too long a time', { expirationSeconds: 2 ** 32 + 1 }, 422, 'larger than 2^32'],
    [
      'bound to another kind',
      { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } },
      400,
      '/v1, Kind=ConfigMap',
    ],
    [
      'bound to a kind of another group',
      { boundObjectRef: { kind: 'Pod', apiVersion: 'apps/v1', name: 'x' } },
      400,
      'apps/v1, Kind=Pod',
    ],
    ['bound to no name', { boundObjectRef: { kind: 'Secret', name: '' } }, 400, 'Name parameter required'],
    ['bound to an absent Pod', { boundObjectRef: { kind: 'Pod', name: 'absent' } }, 404, 'pods "absent" not found'],
    [
      'bound to an absent Secret',
      { boundObjectRef: { kind: 'Secret', name: 'absent' } },
      404,
      'secrets "absent" not found',
    ],
    [
      'bound to another uid',
      { boundObjectRef: { kind: 'Pod', name: 'runner', uid: 'other' } },
      409,
      'does not match the UID',
    ],
  ])('%s', async (_, spec, code, message) => {
    await expect(request(spec)).rejects.toMatchObject(status(code, message));
  });

  it('for another time with the kind and without a name', async () => {
    await expect(request({ expirationSeconds: 1 })).rejects.toMatchObject(
      status(422, 'TokenRequest.authentication.k8s.io ""', {
        ...invalid,
        causes: [{ field: 'spec.expirationSeconds', reason: 'FieldValueInvalid' }],
      }),
    );
  });

  it('under another name', async () => {
    await expect(request({}, { metadata: { name: 'other' } })).rejects.toMatchObject(
      status(422, 'must match', { ...invalid, name: 'robot' }),
    );
    await expect(request({}, { metadata: { name: 'robot' } })).resolves.toBeDefined();
  });

  it('in another namespace', async () => {
    await expect(request({}, { metadata: { namespace: 'other' } })).rejects.toMatchObject(status(400, 'namespace'));
    await expect(request({}, { metadata: { namespace: 'ns' } })).resolves.toBeDefined();
  });

  it('for a Pod of another account', async () => {
    objects.put('serviceaccounts', 'ns', 'second');
    const boundObjectRef = { kind: 'Pod', name: 'runner' };
    await expect(request({ boundObjectRef }, { name: 'second' })).rejects.toMatchObject(
      status(400, 'different serviceaccount'),
    );
  });

  it('for an absent account', async () => {
    await expect(request({}, { name: 'absent' })).rejects.toMatchObject(
      status(404, 'serviceaccounts "absent" not found'),
    );
  });
});
