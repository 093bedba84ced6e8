import { createHash, createPrivateKey, createPublicKey, createSign, type KeyObject } from 'node:crypto';
import { annotationOf, nameOf, namespaceOf, uidOf } from '../runtime/kube-object.ts';
import type { Secret, ServiceAccount } from '../runtime/resources.ts';

const tokenType = 'kubernetes.io/service-account-token';
const accountAnnotation = 'kubernetes.io/service-account.name';
const uidAnnotation = 'kubernetes.io/service-account.uid';

/** The name of the account that a token Secret belongs to. */
export const accountOf = (secret: Secret): string | undefined =>
  secret.type === tokenType ? annotationOf(secret, accountAnnotation) : undefined;

/** Whether the account that the Secret was made for is gone, or another of the same name has taken its place. */
export const isStale = (secret: Secret, account: ServiceAccount | undefined): boolean => {
  const uid = annotationOf(secret, uidAnnotation);
  return !account || (uid !== undefined && uid !== uidOf(account));
};

export interface TokenContent {
  /** PEM of a key, RSA or EC on a NIST curve; without it no token is made. */
  readonly privateKey: string;
  /** PEM. */
  readonly certificateAuthority?: string;
}

/** The Secret with all that it should hold; undefined when it holds it. */
export function completed(
  secret: Secret,
  account: ServiceAccount,
  { privateKey, certificateAuthority = '' }: TokenContent,
): Secret | undefined {
  const { data = {} } = secret;
  const encode = (text: string) => Buffer.from(text).toString('base64');
  // The server may have moved on to another authority, and a token is of no use with the old one.
  const trusts = !certificateAuthority || data['ca.crt'] === encode(certificateAuthority);
  if (data['token'] && data['namespace'] && trusts && annotationOf(secret, uidAnnotation)) return undefined;
  return {
    ...secret,
    metadata: { ...secret.metadata, annotations: { ...secret.metadata?.annotations, [uidAnnotation]: uidOf(account) } },
    data: {
      ...data,
      token: data['token'] || encode(legacyToken(secret, account, privateKey)),
      namespace: data['namespace'] || encode(namespaceOf(secret)),
      ...(certificateAuthority && { 'ca.crt': encode(certificateAuthority) }),
    },
  };
}

/** A token without an end, good as long as the Secret holds it (RFC 7519). */
function legacyToken(secret: Secret, account: ServiceAccount, privateKey: string): string {
  const key = createPrivateKey(privateKey);
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const prefix = 'kubernetes.io/serviceaccount';
  const claims = {
    iss: 'kubernetes/serviceaccount',
    sub: `system:serviceaccount:${namespaceOf(account)}:${nameOf(account)}`,
    [`${prefix}/namespace`]: namespaceOf(account),
    [`${prefix}/secret.name`]: nameOf(secret),
    [`${prefix}/service-account.name`]: nameOf(account),
    [`${prefix}/service-account.uid`]: uidOf(account),
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const { name, digest } = algorithmOf(key);
  const signed = `${part({ alg: name, kid: createHash('sha256').update(spki).digest('base64url') })}.${part(claims)}`;
  // Signatures of tokens are the two numbers as they are (RFC 7518, 3.4), not their DER.
  const signature = createSign(digest).update(signed).sign({ key, dsaEncoding: 'ieee-p1363' }, 'base64url');
  return `${signed}.${signature}`;
}

const curves: Readonly<Record<string, { readonly name: string; readonly digest: string }>> = {
  prime256v1: { name: 'ES256', digest: 'sha256' },
  secp384r1: { name: 'ES384', digest: 'sha384' },
  secp521r1: { name: 'ES512', digest: 'sha512' },
};

/** @throws Error for keys that sign no tokens */
function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails }: KeyObject) {
  if (type === 'rsa') return { name: 'RS256', digest: 'sha256' };
  const curve = type === 'ec' ? curves[asymmetricKeyDetails?.namedCurve ?? ''] : undefined;
  if (!curve) throw new Error('the key of service account tokens is neither RSA nor EC on a NIST curve');
  return curve;
}
