import { unauthorized } from '../base/status-error.ts';
import { anonymous, type User } from '../base/user.ts';
import type { Authenticator, Credentials } from './authenticator.ts';
import type { TokenAuthenticator, TokenUser } from './token-authenticator.ts';

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

/**
 * Asks each way to judge tokens in turn; the first that accepts decides.
 * @throws Error with the reasons of all that refused, when none accepts
 */
export async function judgeToken(
  authenticators: readonly TokenAuthenticator[],
  token: string,
  audiences: readonly string[],
): Promise<TokenUser> {
  const refusals: string[] = [];
  for (const authenticator of token ? authenticators : []) {
    try {
      const answer = authenticator.authenticateToken(token, audiences);
      const accepted = answer instanceof Promise ? await answer : answer;
      if (accepted) return accepted;
    } catch (error) {
      refusals.push((error as Error).message);
    }
  }
  throw new Error(refusals.length ? refusals.join(', ') : 'invalid bearer token');
}

/** Bearer tokens as one way among the others. A token that nobody knows is a refusal too: it never makes a caller anonymous. */
export const bearerToken = (
  authenticators: readonly TokenAuthenticator[],
  audiences: readonly string[],
): Authenticator => ({
  name: 'bearer token',
  async authenticate({ bearerToken: token }) {
    return token === undefined ? undefined : (await judgeToken(authenticators, token, audiences)).user;
  },
});

/**
 * Who calls: the first of the ways, in their order, that succeeds decides (`authn.first-success`). A refused
 * credential is no end, the next one is tried; but where one was refused nobody is anonymous.
 * @returns what throws StatusError 401
 */
export const authentication =
  (authenticators: readonly Authenticator[], anonymousAllowed: boolean) =>
  async (credentials: Credentials): Promise<User> => {
    let refused = false;
    for (const authenticator of authenticators) {
      try {
        const answer = authenticator.authenticate(credentials);
        const user = answer instanceof Promise ? await answer : answer;
        if (user) return user;
      } catch {
        refused = true;
      }
    }
    if (refused || !anonymousAllowed) throw unauthorized();
    return anonymous;
  };
