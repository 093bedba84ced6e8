import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { SigningKey } from './service-account/keys.ts';
import { readSigningKey, verifies } from './service-account/keys.ts';

export const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

export const rsa: SigningKey = readSigningKey(pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey));
export const otherRsa: SigningKey = readSigningKey(
  pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
);
export const ec: SigningKey = readSigningKey(pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey));

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token signed by `key`; `header` may say what it likes. */
export function forge(claims: unknown, key: SigningKey = rsa, header: object = { alg: key.algorithm }): string {
  const text = `${part(header)}.${part(claims)}`;
  const ieee = key.algorithm.startsWith('ES') ? { dsaEncoding: 'ieee-p1363' as const } : {};
  const signature = sign('sha256', Buffer.from(text), { key: key.key, ...ieee });
  return `${text}.${signature.toString('base64url')}`;
}

/** A token without a signature that says so. */
export const unsigned = (claims: unknown, alg = 'none') => `${part({ alg })}.${part(claims)}.`;

/** A token whose signature is made with the public key as if that were a shared secret. */
export function confused(claims: unknown, key: SigningKey = rsa): string {
  const text = `${part({ alg: 'HS256' })}.${part(claims)}`;
  const secret = verifies(key).key.export({ type: 'spki', format: 'pem' });
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

export const privatePem = (key: SigningKey) =>
  pemOf(createPrivateKey(key.key.export({ type: 'pkcs8', format: 'pem' })));
