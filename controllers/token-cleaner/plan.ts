import { millisecondsOf, nameOf, namespaceOf } from '../runtime/kube-object.ts';
import type { Secret } from '../runtime/resources.ts';

/** Whether a Secret is a bootstrap token. */
export const isBootstrapToken = (secret: Secret): boolean =>
  secret.type === 'bootstrap.kubernetes.io/token' &&
  namespaceOf(secret) === 'kube-system' &&
  nameOf(secret).startsWith('bootstrap-token-');

/** Milliseconds until a token runs out, 0 when it has; undefined when it never does. What is no time has run out. */
export function waitBeforeExpiry(secret: Secret, now: number): number | undefined {
  const text = Buffer.from(secret.data?.['expiration'] ?? '', 'base64').toString();
  if (!text) return undefined;
  const expires = /^\d{4}-\d\d-\d\d[Tt]/.test(text) ? millisecondsOf(text) : undefined;
  return expires === undefined ? 0 : Math.max(0, expires - now);
}
