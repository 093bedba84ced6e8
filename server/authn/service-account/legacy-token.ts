import type { Clock } from '../../base/time/clock.ts';
import type { Lookup } from '../../kinds/strategy.ts';
import { sameSecret } from '../digest.ts';
import { audienceClaim, type Claims, peek, verifiedClaims } from '../jwt.ts';
import { type TokenAuthenticator, tokenAudiences } from '../token-authenticator.ts';
import { verifiedTokens } from '../verified-tokens.ts';
import type { VerificationKey } from './keys.ts';
import { serviceAccountName, serviceAccountUser } from './user.ts';

export interface LegacyTokenOptions {
  readonly keys: readonly VerificationKey[];
  readonly serverAudiences: readonly string[];
  /** `--service-account-lookup`: a token counts only as long as its Secret holds it. */
  readonly lookup: boolean;
}

const issuer = 'kubernetes/serviceaccount';
const prefix = 'kubernetes.io/serviceaccount/';

function claim(claims: Claims, name: string): string {
  const value = claims[`${prefix}${name}`];
  if (typeof value !== 'string' || !value) throw new Error(`the token lacks the claim ${prefix}${name}`);
  return value;
}

function readLegacy(claims: Claims) {
  const namespace = claim(claims, 'namespace');
  const account = claim(claims, 'service-account.name');
  const read = { namespace, account, uid: claim(claims, 'service-account.uid'), secret: claim(claims, 'secret.name') };
  if (claims.sub !== serviceAccountName(namespace, account)) throw new Error('the subject of the token is another');
  return { ...read, claims, user: serviceAccountUser(namespace, account, read.uid) };
}

/** Tokens without an end that stand in Secrets of type `kubernetes.io/service-account-token`. */
export function legacyServiceAccountToken(
  options: LegacyTokenOptions,
  lookup: Lookup,
  clock: Clock,
): TokenAuthenticator {
  const read = verifiedTokens(clock, async (token) =>
    peek(token)?.claims.iss === issuer ? readLegacy(await verifiedClaims(token, options.keys)) : undefined,
  );

  async function checkObjects(token: string, { namespace, account, uid, secret }: ReturnType<typeof readLegacy>) {
    const holder = await lookup.get('', 'secrets', namespace, secret);
    const held = (holder?.data as Record<string, unknown> | undefined)?.token;
    const text = typeof held === 'string' ? Buffer.from(held, 'base64').toString() : '';
    const alive = holder !== undefined && !holder.metadata.deletionTimestamp;
    if (!sameSecret(text, token) || !alive) throw new Error('the secret of the token does not hold it');
    const owner = await lookup.get('', 'serviceaccounts', namespace, account);
    if (owner?.metadata.uid !== uid || owner.metadata.deletionTimestamp) {
      throw new Error('the service account of the token is gone');
    }
  }

  return {
    name: 'legacy service account token',
    async authenticateToken(token, audiences) {
      const known = await read(token);
      if (!known) return undefined;
      const common = tokenAudiences(audiences, audienceClaim(known.claims), options.serverAudiences);
      if (options.lookup) await checkObjects(token, known);
      return { user: known.user, audiences: common };
    },
  };
}
