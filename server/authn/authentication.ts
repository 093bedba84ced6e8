import { unauthorized } from '../base/status-error.ts';
import { anonymous, type User } from '../base/user.ts';
import type { Authenticator, Credentials } from './authenticator.ts';
import type { TokenAuthenticator, TokenUser } from './token-authenticator.ts';

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
 * @throws StatusError 401
 */
export async function authenticate(
  authenticators: readonly Authenticator[],
  anonymousAllowed: boolean,
  credentials: Credentials,
): Promise<User> {
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
}
