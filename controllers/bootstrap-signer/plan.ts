import { createHmac } from 'node:crypto';
import { nameOf } from '../runtime/kube-object.ts';
import type { ConfigMap, Secret } from '../runtime/resources.ts';
import { isBootstrapToken, waitBeforeExpiry } from '../token-cleaner/plan.ts';

const signaturePrefix = 'jws-kubeconfig-';

const decoded = (secret: Secret, key: string): string => Buffer.from(secret.data?.[key] ?? '', 'base64').toString();

/** Whether a token may vouch for the cluster's configuration now. Its secret may be any text, its id is that in its name. */
const signs = (secret: Secret, now: number): boolean =>
  isBootstrapToken(secret) &&
  decoded(secret, 'usage-bootstrap-signing') === 'true' &&
  /^[a-z0-9]{6}$/.test(decoded(secret, 'token-id')) &&
  nameOf(secret) === `bootstrap-token-${decoded(secret, 'token-id')}` &&
  decoded(secret, 'token-secret') !== '' &&
  waitBeforeExpiry(secret, now) !== 0;

/** A signature over a content that does not hold the content (RFC 7515, appendix F), with HMAC and SHA-256. */
function detachedSignature(content: string, id: string, secret: string): string {
  const part = (text: string) => Buffer.from(text).toString('base64url');
  const header = part(JSON.stringify({ alg: 'HS256', kid: id }));
  const signature = createHmac('sha256', secret)
    .update(`${header}.${part(content)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}

/** The data of the map with a signature by each token that signs; undefined when it has these already. */
export function signedData(
  { data = {} }: ConfigMap,
  secrets: readonly Secret[],
  now: number,
): Readonly<Record<string, string>> | undefined {
  const content = data['kubeconfig'];
  const others = Object.entries(data).filter(([key]) => !key.startsWith(signaturePrefix));
  const signatures = secrets
    .filter((secret) => content && signs(secret, now))
    .map((secret) => {
      const id = decoded(secret, 'token-id');
      return [signaturePrefix + id, detachedSignature(content ?? '', id, decoded(secret, 'token-secret'))] as const;
    });
  const next = Object.fromEntries([...others, ...signatures]);
  const same =
    Object.keys(next).length === Object.keys(data).length &&
    Object.entries(next).every(([key, value]) => data[key] === value);
  return same ? undefined : next;
}

/** Milliseconds until the next token runs out. */
export function nextExpiry(secrets: readonly Secret[], now: number): number | undefined {
  const waits = secrets.filter((secret) => signs(secret, now)).flatMap((secret) => waitBeforeExpiry(secret, now) ?? []);
  return waits.length > 0 ? Math.min(...waits) : undefined;
}
