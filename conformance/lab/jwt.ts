import { createHash, createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';

export type Claims = Readonly<Record<string, unknown>>;

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Names a key in tokens and key sets. */
export const keyId = (key: KeyObject): string =>
  createHash('sha256')
    .update(createPublicKey(key).export({ type: 'spki', format: 'der' }))
    .digest('base64url')
    .slice(0, 16);

const algorithmOf = (key: KeyObject): string => (key.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256');

/** A compact JWT signed by the private key (RSA, or ECDSA on P-256). `header` adds to or replaces what it says itself. */
export function signedToken(claims: Claims, key: KeyObject, header: Claims = {}): string {
  const text = `${part({ alg: algorithmOf(key), kid: keyId(key), ...header })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

/** A token without a signature, which says so. */
export const unsignedToken = (claims: Claims): string => `${part({ alg: 'none' })}.${part(claims)}.`;

/** A token signed with the public key as if that were a shared secret. */
export function confusedToken(claims: Claims, key: KeyObject): string {
  const text = `${part({ alg: 'HS256' })}.${part(claims)}`;
  const secret = createPublicKey(key).export({ type: 'spki', format: 'pem' });
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** The public key as a member of a JSON Web Key Set. */
export const publicJwk = (key: KeyObject) => ({
  ...createPublicKey(key).export({ format: 'jwk' }),
  kid: keyId(key),
  alg: algorithmOf(key),
  use: 'sig',
});
