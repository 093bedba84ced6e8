import { createHash, createPrivateKey, createPublicKey, createSign } from 'node:crypto';
import { annotationOf, nameOf, namespaceOf, uidOf } from '../runtime/kube-object.ts';
import type { Secret, ServiceAccount } from '../runtime/resources.ts';

export const tokenType = 'kubernetes.io/service-account-token';
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
  /** PEM of an RSA key; without it no token is made. */
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
  const hasAll =
    data['token'] &&
    data['namespace'] &&
    (data['ca.crt'] || !certificateAuthority) &&
    annotationOf(secret, uidAnnotation);
  if (hasAll) return undefined;
  const encode = (text: string) => Buffer.from(text).toString('base64');
  return {
    ...secret,
    metadata: { ...secret.metadata, annotations: { ...secret.metadata?.annotations, [uidAnnotation]: uidOf(account) } },
    data: {
      ...data,
      token: data['token'] || encode(legacyToken(secret, account, privateKey)),
      namespace: data['namespace'] || encode(namespaceOf(secret)),
      ...(certificateAuthority && { 'ca.crt': data['ca.crt'] || encode(certificateAuthority) }),
    },
  };
}

/** A token without an end, good as long as the Secret holds it (RFC 7519, RS256). */
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
  const signed = `${part({ alg: 'RS256', kid: createHash('sha256').update(spki).digest('base64url') })}.${part(claims)}`;
  return `${signed}.${createSign('sha256').update(signed).sign(key, 'base64url')}`;
}
