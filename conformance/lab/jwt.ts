import { constants, createHash, createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';

export type Claims = Readonly<Record<string, unknown>>;

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Names a key in tokens and key sets. */
export const keyId = (key: KeyObject): string =>
  createHash('sha256')
    .update(createPublicKey(key).export({ type: 'spki', format: 'der' }))
    .digest('base64url')
    .slice(0, 16);

const algorithmOf = (key: KeyObject): string => (key.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256');

/** How RSA fills up what it signs, where that is not the plain way. */
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

/**
 * A compact JWT signed by the private key (RSA, or ECDSA on the curve of its algorithm). `header` adds to or replaces
 * what it says itself; an `alg` of the key's kind is kept to, any other is merely claimed.
 */
export function signedToken(claims: Claims, key: KeyObject, header: Claims = {}): string {
  const said = { alg: algorithmOf(key), kid: keyId(key), ...header };
  const text = `${part(said)}.${part(claims)}`;
  const [, family = '', bits = '256'] = /^(RS|PS|ES)(256|384|512)$/.exec(said.alg) ?? [];
  const options = family === 'PS' ? { key, ...pss } : { key, dsaEncoding: 'ieee-p1363' as const };
  return `${text}.${sign(`sha${bits}`, Buffer.from(text), options).toString('base64url')}`;
}

/** A token without a signature, which says so. `claims` are those of another token, as it carries them. */
export const unsignedToken = (claims: string): string => `${part({ alg: 'none' })}.${claims}.`;

/** A token signed with the public key as if that were a shared secret; `claims` as above. */
export function confusedToken(claims: string, key: KeyObject): string {
  const text = `${part({ alg: 'HS256' })}.${claims}`;
  const secret = createPublicKey(key).export({ type: 'spki', format: 'pem' });
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** The public key as a member of a JSON Web Key Set. */
export const publicJwk = (key: KeyObject) => ({
  ...createPublicKey(key).export({ format: 'jwk' }),
  kid: keyId(key),
  use: 'sig',
});
