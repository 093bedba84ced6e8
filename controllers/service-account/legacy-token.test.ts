import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Secret, ServiceAccount } from '../runtime/resources.ts';
import { completed, isStale } from './legacy-token.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const content = {
  privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  certificateAuthority: 'ca',
};
const account: ServiceAccount = { metadata: { namespace: 'ns', name: 'robot', uid: 'u' } };
const encode = (text: string) => Buffer.from(text).toString('base64');
const uid = { 'kubernetes.io/service-account.uid': 'u' };
const full = { token: encode('t'), namespace: encode('ns'), 'ca.crt': encode('ca') };
const secret = (data: Record<string, string>, annotations: Record<string, string> = uid): Secret => ({
  metadata: { namespace: 'ns', name: 's', annotations },
  data,
});

test('a Secret that holds all that it should is not written again', () => {
  expect(completed(secret(full), account, content)).toBeUndefined();
  const { 'ca.crt': _, ...rest } = full;
  expect(completed(secret(rest), account, { privateKey: content.privateKey })).toBeUndefined();
});

test.each<[string, Secret]>([
  ['a namespace', secret({ ...full, namespace: '' })],
  ['the certificate of this server', secret({ ...full, 'ca.crt': encode('of before') })],
  ['the uid of its account', secret(full, {})],
])('a Secret without %s gets it, and keeps its token', (_, subject) => {
  expect(completed(subject, account, content)).toMatchObject({ metadata: { annotations: uid }, data: full });
});

test('a Secret without a token gets one that names whose it is', () => {
  const { token: _, ...rest } = full;
  const [, claims = ''] = Buffer.from(completed(secret(rest), account, content)?.data?.['token'] ?? '', 'base64')
    .toString()
    .split('.');
  const told = JSON.parse(Buffer.from(claims, 'base64url').toString());
  expect(told).toMatchObject({
    sub: 'system:serviceaccount:ns:robot',
    'kubernetes.io/serviceaccount/secret.name': 's',
  });
});

test.each<[string, ServiceAccount | undefined, Record<string, string>, boolean]>([
  ['of this account', account, uid, false],
  ['that does not say of which', account, {}, false],
  ['of an earlier account of its name', account, { ...uid, 'kubernetes.io/service-account.uid': 'of before' }, true],
  ['of an account that has gone', undefined, uid, true],
])('a Secret %s is stale or not', (_, there, annotations, stale) => {
  expect(isStale(secret(full, annotations), there)).toBe(stale);
});
