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
 * Asks each way to judge tokens in turn; the first that accepts decides. Answers at once, without a promise, as long as
 * those it asks do.
 * @throws Error with the reasons of all that refused, when none accepts
 */
export function judgeToken(
  authenticators: readonly TokenAuthenticator[],
  token: string,
  audiences: readonly string[],
  sofar: readonly string[] = [],
): Promise<TokenUser> | TokenUser {
  let refusals = sofar;
  for (let at = 0; token && at < authenticators.length; at++) {
    try {
      const answer = authenticators[at]?.authenticateToken(token, audiences);
      if (answer instanceof Promise) {
        const others = authenticators.slice(at + 1);
        return answer.then(
          (accepted) => accepted ?? judgeToken(others, token, audiences, refusals),
          (error: Error) => judgeToken(others, token, audiences, [...refusals, error.message]),
        );
      }
      if (answer) return answer;
    } catch (error) {
      refusals = [...refusals, (error as Error).message];
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
  authenticate({ bearerToken: token }) {
    if (token === undefined) return undefined;
    const judged = judgeToken(authenticators, token, audiences);
    return judged instanceof Promise ? judged.then(({ user }) => user) : judged.user;
  },
});

/**
 * Who calls: the first of the ways, in their order, that succeeds decides (`authn.first-success`). A refused
 * credential is no end, the next one is tried; but where one was refused nobody is anonymous.
 * @returns what throws StatusError 401, and answers at once as long as those it asks do
 */
export function authentication(authenticators: readonly Authenticator[], anonymousAllowed: boolean) {
  const ask = (credentials: Credentials, from = 0, sofar = false): Promise<User> | User => {
    let refused = sofar;
    for (let at = from; at < authenticators.length; at++) {
      try {
        const answer = authenticators[at]?.authenticate(credentials);
        if (answer instanceof Promise) {
          return answer.then(
            (user) => user ?? ask(credentials, at + 1, refused),
            () => ask(credentials, at + 1, true),
          );
        }
        if (answer) return answer;
      } catch {
        refused = true;
      }
    }
    if (refused || !anonymousAllowed) throw unauthorized();
    return anonymous;
  };
  return ask as (credentials: Credentials) => Promise<User> | User;
}
