import type { VerificationKey } from './service-account/keys.ts';

/** Claims of a token, as decoded; nothing is known about their types. */
export type Claims = { readonly [claim: string]: unknown };

/** A longer token is not looked into. */
const longest = 1 << 16;

/** Clocks of those who issue and those who check may differ by this much, in seconds. */
export const leewaySeconds = 60;

function object(part: string | undefined): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
}

/** Header and claims of a compact JWT without checking anything; undefined when it has not that form. */
export function peek(token: string): { readonly header: Claims; readonly claims: Claims } | undefined {
  if (token.length > longest) return undefined;
  const parts = token.split('.', 4);
  if (parts.length !== 3) return undefined;
  const header = object(parts[0]);
  const claims = object(parts[1]);
  return header && claims && { header, claims };
}

/**
 * The claims, once one of the keys verifies the signature with an algorithm that suits the key and is allowed.
 * @throws Error when none does
 */
export async function verifiedClaims(token: string, keys: Iterable<VerificationKey>): Promise<Claims> {
  const algorithm = peek(token)?.header.alg;
  const { compactVerify } = await import('jose/jws/compact/verify');
  for (const { key, algorithms } of keys) {
    if (typeof algorithm !== 'string' || !algorithms.includes(algorithm)) continue;
    try {
      const { payload } = await compactVerify(token, key, { algorithms: [algorithm] });
      return JSON.parse(Buffer.from(payload).toString()) as Claims;
    } catch {
      // Another key may still fit.
    }
  }
  throw new Error('the signature of the token is not valid');
}

/** A claim that holds seconds since the epoch. @throws Error when it is there and is no such number */
function secondsClaim(claims: Claims, name: string): number | undefined {
  const value = claims[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`the claim ${name} is not a time`);
  return value;
}

/** The audiences of a token: a list, or one text. @throws Error for anything else */
export function audienceClaim(claims: Claims): readonly string[] {
  const { aud } = claims;
  if (aud === undefined || aud === null) return [];
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.every((each) => typeof each === 'string')) throw new Error('the audience of the token is malformed');
  return audiences as string[];
}

export interface Validity {
  readonly now: number;
  readonly expiryLeeway: number;
  readonly notBeforeLeeway: number;
  readonly expiryRequired: boolean;
}

/** @throws Error when the token is not valid at `now` (seconds since the epoch), or says nothing about its end although it must */
export function checkValidity(claims: Claims, { now, expiryLeeway, notBeforeLeeway, expiryRequired }: Validity): void {
  const expiry = secondsClaim(claims, 'exp');
  if (expiry === undefined ? expiryRequired : now >= expiry + expiryLeeway) throw new Error('the token has expired');
  const notBefore = secondsClaim(claims, 'nbf');
  if (notBefore !== undefined && now < notBefore - notBeforeLeeway) throw new Error('the token is not valid yet');
}
