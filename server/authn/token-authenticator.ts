import type { User } from '../base/user.ts';

/** Whom a bearer token stands for. */
export interface TokenUser {
  readonly user: User;
  /** Those of the asked audiences that the token is meant for; never empty. */
  readonly audiences: readonly string[];
}

/**
 * One way to judge a bearer token. `audiences` are those the token must be meant for, one of them at least. Answers
 * undefined for a token that is not of this kind; throws for one that is and is refused, in which case the others are
 * still asked. The text of the error is told to those who may review tokens, so it must not hold the token.
 */
export interface TokenAuthenticator {
  readonly name: string;
  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): Promise<TokenUser | undefined> | TokenUser | undefined;
}

/** The asked audiences that are among the given ones, in the order of the asked. */
export function commonAudiences(asked: readonly string[], given: readonly string[]): readonly string[] {
  const known = new Set(given);
  return asked.filter((audience) => known.has(audience));
}

/**
 * The asked audiences that a token without any of its own is meant for: those of this server.
 * @throws Error when there are none
 */
export function serverAudiences(asked: readonly string[], server: readonly string[]): readonly string[] {
  return asked === server ? demandAny(server) : demandAny(commonAudiences(asked, server));
}

/**
 * The asked audiences that a token is meant for, which names its own or is meant for those of this server.
 * @throws Error when there are none
 */
export const tokenAudiences = (
  asked: readonly string[],
  named: readonly string[],
  server: readonly string[],
): readonly string[] => demandAny(commonAudiences(asked, named.length ? named : server));

function demandAny(audiences: readonly string[]): readonly string[] {
  if (!audiences.length) throw new Error('the token is not meant for the audiences asked for');
  return audiences;
}
