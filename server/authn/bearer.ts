/** What an `Authorization` header holds. */
export interface BearerHeader {
  readonly token?: string;
  /** A text for a `Warning: 299` header. */
  readonly warning?: string;
}

const extraSpace = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/**
 * The token of `Authorization: Bearer <token>`; the scheme counts in any case, and of more words only the first. Other
 * schemes and a scheme without a token are no credential. More than one header gives the empty token, which nobody
 * accepts: who could say which of them a proxy in between has judged.
 */
export function readBearer(headers: readonly string[]): BearerHeader {
  const [value, second] = headers;
  if (value === undefined) return {};
  if (second !== undefined) return { token: '' };
  const [scheme, token] = value.trim().split(' ', 2);
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined) return {};
  return token === '' ? { warning: extraSpace } : { token };
}
