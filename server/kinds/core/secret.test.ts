import { describe, expect, test } from 'vitest';
import { base64 } from '../../../fixtures/certificates.ts';
import { sample, tryCreate } from '../kind-write.fixture.ts';
import { creations, updates } from '../write-tables.fixture.ts';
import { secret } from './secret.ts';

const mebibyte = 1_048_576;

describe('Secret', () => {
  creations(secret, [
    ['nothing', {}, []],
    [
      'an account token of nobody',
      { type: 'kubernetes.io/service-account-token' },
      ['metadata.annotations[kubernetes.io/service-account.name] Required'],
    ],
    ['a registry without its key', { type: 'kubernetes.io/dockerconfigjson' }, ['data[.dockerconfigjson] Required']],
    [
      'a registry that is no JSON',
      { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': base64('x') } },
      ['data[.dockercfg] Invalid'],
    ],
    ['a registry', { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': base64('{}') } }, []],
    [
      'a login with neither',
      { type: 'kubernetes.io/basic-auth' },
      ['data[username] Required', 'data[password] Required'],
    ],
    ['a login with one', { type: 'kubernetes.io/basic-auth', stringData: { password: 'p' } }, []],
    ['a shell without key', { type: 'kubernetes.io/ssh-auth' }, ['data[ssh-privatekey] Required']],
    [
      'a shell with an empty key',
      { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': '' } },
      ['data[ssh-privatekey] Required'],
    ],
    [
      'a certificate without its parts',
      { type: 'kubernetes.io/tls' },
      ['data[tls.crt] Required', 'data[tls.key] Required'],
    ],
    ['a certificate of nothing', { type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '' } }, []],
    ['a bad key', { data: { 'a b': '' } }, ['data[a b] Invalid']],
    ['too much', { data: { a: base64('x'.repeat(mebibyte + 1)) } }, ['data TooLong']],
  ]);
  updates(secret, [
    ['another type', {}, (next) => Object.assign(next, { type: 'example.com/other' }), ['type Invalid']],
    [
      'an immutable one',
      { immutable: true, data: { a: 'AA==' } },
      (next) => Object.assign(next, { data: {}, immutable: false }),
      ['immutable Forbidden', 'data Forbidden'],
    ],
  ]);

  test('texts win over data and are not kept', async () => {
    const fields = { data: { a: base64('one') }, stringData: { a: 'two', b: 'three' } };
    const { object } = await tryCreate(secret, sample(secret, fields));
    expect(object).toMatchObject({ type: 'Opaque', data: { a: base64('two'), b: base64('three') } });
    expect(object).not.toHaveProperty('stringData');
  });

  test('is found by its type', () => {
    expect(secret.selectable?.type?.(sample(secret, { type: 'Opaque' }))).toBe('Opaque');
  });
});
