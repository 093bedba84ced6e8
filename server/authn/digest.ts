import { hash, timingSafeEqual } from 'node:crypto';
import { perKey } from '../base/caches/memo.ts';
import type { User } from '../base/user.ts';
import type { TokenAuthenticator } from './token-authenticator.ts';

/**
 * A digest to look secrets up by: how long a look-up takes tells of the digest of a guess, which tells nothing about
 * the secret.
 */
export const digestOf = (secret: string): string =>
  secret.length <= longestRemembered ? remembered(secret) : digest(secret);

const digest = (secret: string): string => hash('sha256', secret, 'base64');

/**
 * Clients show the same token with every request. It is looked up by the engine's own hash of it, whose seed is another
 * one in each process: that too tells nothing about what it is compared with.
 */
const remembered = perKey(digest, 200);
const longestRemembered = 4096;

/** Whether two secrets are the same, in a time that does not depend on where they differ or how long they are. */
export const sameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));

/** One token that the server made itself, and whom it stands for. */
export function ownToken(name: string, token: string, user: User): TokenAuthenticator {
  const own = digestOf(token);
  return {
    name,
    authenticateToken: (asked, audiences) => (digestOf(asked) === own ? { user, audiences } : undefined),
  };
}
