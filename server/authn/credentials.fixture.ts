import type { X509Certificate } from 'node:crypto';
import { readBearer } from './authentication.ts';
import type { Credentials } from './authenticator.ts';

/** Credentials of a request with these headers (in any case, as often as they stand there) and certificates. */
export function credentials(
  headers: readonly (readonly [name: string, value: string])[] = [],
  certificates: readonly X509Certificate[] = [],
): Credentials {
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    values.set(lower, [...(values.get(lower) ?? []), value]);
  }
  return {
    header: (name) => values.get(name) ?? [],
    headerNames: () => values.keys(),
    bearerToken: readBearer(values.get('authorization') ?? []).token,
    peerCertificates: () => certificates,
  };
}
