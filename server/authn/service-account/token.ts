import type { Clock } from '../../base/time/clock.ts';
import type { User } from '../../base/user.ts';
import type { Lookup } from '../../kinds/strategy.ts';
import { audienceClaim, type Claims, checkValidity, leewaySeconds, peek, verifiedClaims } from '../jwt.ts';
import { type TokenAuthenticator, tokenAudiences } from '../token-authenticator.ts';
import { verifiedTokens } from '../verified-tokens.ts';
import type { VerificationKey } from './keys.ts';
import { mustLive, type PodClaim, serviceAccountUser } from './user.ts';

export interface ServiceAccountTokenOptions {
  /** `iss` of the tokens that are judged here. */
  readonly issuers: readonly string[];
  readonly keys: readonly VerificationKey[];
  /** What a token without an audience is meant for. */
  readonly serverAudiences: readonly string[];
}

type Reference = PodClaim;

/** What a token says about itself, once its signature is verified. */
interface Verified {
  readonly claims: Claims;
  readonly namespace: string;
  readonly account: Reference;
  readonly pod: Reference | undefined;
  readonly secret: Reference | undefined;
  readonly user: User;
}

function reference(value: unknown): Reference | undefined {
  if (value === undefined || value === null) return undefined;
  const { name, uid } = value as { name?: unknown; uid?: unknown };
  if (typeof name !== 'string' || typeof uid !== 'string') throw new Error('the token names an object malformedly');
  return { name, uid };
}

function readClaims(claims: Claims): Verified {
  const own = claims['kubernetes.io'];
  if (own === null || typeof own !== 'object') throw new Error('the token has no claims of a service account');
  const { namespace, serviceaccount, pod, secret } = own as Claims;
  const account = reference(serviceaccount);
  if (!account || typeof namespace !== 'string') throw new Error('the token names no service account');
  const bound = reference(pod);
  const user = serviceAccountUser(namespace, account.name, account.uid, bound);
  return { claims, namespace, account, pod: bound, secret: reference(secret), user };
}

/** The account of a token, and what it is bound to, are still there. @throws when one is not */
async function checkObjects({ namespace, account, pod, secret }: Verified, lookup: Lookup, now: number): Promise<void> {
  const find = (resource: string, name: string) => lookup.get('', resource, namespace, name);
  mustLive(await find('serviceaccounts', account.name), account.uid, 'service account', now);
  if (pod) mustLive(await find('pods', pod.name), pod.uid, 'pod', now);
  if (secret) mustLive(await find('secrets', secret.name), secret.uid, 'secret', now);
}

/**
 * Tokens that this server (or one with the same keys) made for service accounts (`authn.service-account.*`). The
 * signature of a token is checked once and remembered; its times, and that its account and the object it is bound to
 * are still there, with every request: so a revocation counts at once.
 */
export function serviceAccountToken(
  options: ServiceAccountTokenOptions,
  lookup: Lookup,
  clock: Clock,
): TokenAuthenticator {
  const read = verifiedTokens(clock, async (token): Promise<Verified | undefined> => {
    const issuer = peek(token)?.claims.iss;
    if (typeof issuer !== 'string' || !options.issuers.includes(issuer)) return undefined;
    return readClaims(await verifiedClaims(token, options.keys));
  });

  return {
    name: 'service account token',
    async authenticateToken(token, audiences) {
      const known = await read(token);
      if (!known) return undefined;
      checkValidity(known.claims, {
        now: clock.now() / 1000,
        expiryLeeway: leewaySeconds,
        notBeforeLeeway: leewaySeconds,
        expiryRequired: true,
      });
      const common = tokenAudiences(audiences, audienceClaim(known.claims), options.serverAudiences);
      await checkObjects(known, lookup, clock.now());
      return { user: known.user, audiences: common };
    },
  };
}
