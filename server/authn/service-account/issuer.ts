import { keySet, type VerificationKey } from './keys.ts';

/** What others need to check service account tokens without asking this server (OpenID Connect discovery). */
export interface ServiceAccountIssuer {
  /** Content of `/.well-known/openid-configuration`, `application/json`; `base` is the server's own URL. */
  configuration(base: string): object;
  /** Content of `/openid/v1/jwks`, `application/jwk-set+json`. */
  keySet(): object;
}

export function serviceAccountIssuer(
  issuer: string,
  keys: readonly VerificationKey[],
  keySetUri: string | undefined,
): ServiceAccountIssuer {
  const published = keySet(keys);
  const algorithms = [...new Set(keys.flatMap((key) => key.algorithms.slice(0, 1)))];
  return {
    configuration: (base) => ({
      issuer,
      jwks_uri: keySetUri ?? `${base.replace(/\/$/, '')}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: algorithms,
    }),
    keySet: () => published,
  };
}
