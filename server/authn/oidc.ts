import type { Clock } from '../base/time/clock.ts';
import type { User } from '../base/user.ts';
import { audienceClaim, type Claims, checkValidity, leewaySeconds, peek, verifiedClaims } from './jwt.ts';
import { knownUser, noExtra } from './known-user.ts';
import type { IssuerKeys } from './oidc-keys.ts';
import { serverAudiences, type TokenAuthenticator } from './token-authenticator.ts';
import { verifiedTokens } from './verified-tokens.ts';

export interface OidcOptions {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly usernameClaim: string;
  /** Already worked out: empty for none. */
  readonly usernamePrefix: string;
  /** Empty: no groups. */
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  /** Claims that must be there with exactly these values. */
  readonly requiredClaims: ReadonlyMap<string, string>;
  readonly signingAlgorithms: readonly string[];
  readonly serverAudiences: readonly string[];
}

/** What a token that proved good says; what changes with time is checked again at each use. */
interface Identity {
  readonly claims: Claims;
  readonly user: User;
}

function nameOf(claims: Claims, { usernameClaim, usernamePrefix }: OidcOptions): string {
  const name = claims[usernameClaim];
  if (typeof name !== 'string') throw new Error(`the token has no text as claim ${usernameClaim}`);
  if (usernameClaim === 'email' && claims.email_verified !== undefined && claims.email_verified !== true) {
    throw new Error('the e-mail address in the token is not verified');
  }
  return `${usernamePrefix}${name}`;
}

function groupsOf(claims: Claims, { groupsClaim, groupsPrefix }: OidcOptions): readonly string[] {
  const value = groupsClaim ? claims[groupsClaim] : undefined;
  if (value === undefined || value === null) return [];
  const groups: unknown[] = Array.isArray(value) ? value : [value];
  if (!groups.every((group) => typeof group === 'string')) {
    throw new Error(`the claim ${groupsClaim} of the token holds something other than texts`);
  }
  return groups.map((group) => `${groupsPrefix}${group}`);
}

function identify(claims: Claims, options: OidcOptions): Identity {
  if (!audienceClaim(claims).includes(options.clientId)) throw new Error('the token is issued for another client');
  for (const [claim, value] of options.requiredClaims) {
    if (claims[claim] !== value) throw new Error(`the token lacks the required claim ${claim}`);
  }
  const name = nameOf(claims, options);
  return { claims, user: knownUser({ name, uid: '', groups: groupsOf(claims, options), extra: noExtra }) };
}

/** The claims of a token that a key of the issuer signed. @throws when none did */
async function verify(
  token: string,
  keyId: string | undefined,
  keys: IssuerKeys,
  algorithms: OidcOptions['signingAlgorithms'],
) {
  const candidates = () => keys.known(keyId).map(({ key, id }) => ({ key, id: id ?? '', algorithms }));
  try {
    return await verifiedClaims(token, candidates());
  } catch {
    // The issuer may have changed its keys, also under the same name.
    await keys.refresh();
    return await verifiedClaims(token, candidates());
  }
}

/** Id tokens of one OpenID Connect issuer (`authn.oidc.*`). */
export function openIdConnect(options: OidcOptions, keys: IssuerKeys, clock: Clock): TokenAuthenticator {
  const read = verifiedTokens(clock, async (token): Promise<Identity | undefined> => {
    const parts = peek(token);
    if (parts?.claims.iss !== options.issuerUrl) return undefined;
    const { kid } = parts.header;
    const keyId = typeof kid === 'string' && kid ? kid : undefined;
    return identify(await verify(token, keyId, keys, options.signingAlgorithms), options);
  });

  return {
    name: 'OpenID Connect',
    async authenticateToken(token, audiences) {
      const identity = await read(token);
      if (!identity) return undefined;
      const { claims, user } = identity;
      checkValidity(claims, {
        now: clock.now() / 1000,
        expiryLeeway: 0,
        notBeforeLeeway: leewaySeconds,
        expiryRequired: true,
      });
      return { user, audiences: serverAudiences(audiences, options.serverAudiences) };
    },
  };
}
