import { readFileSync } from 'node:fs';
import type { User } from '../base/user.ts';
import { parseCsv } from './csv.ts';
import { digestOf } from './digest.ts';
import { knownUser, noExtra } from './known-user.ts';
import { serverAudiences, type TokenAuthenticator } from './token-authenticator.ts';

function userOf([, name, uid, groups]: readonly string[]): User {
  return knownUser({ name: name ?? '', uid: uid ?? '', groups: groups ? groups.split(',') : [], extra: noExtra });
}

/**
 * The users of a token file by the digest of their token: CSV of token, user name, uid and, optional, groups (several
 * in one quoted column). Of two lines with one token the later counts; a line without a token counts not at all.
 * @throws Error for a line with fewer than three columns
 */
export function readTokenFile(text: string): ReadonlyMap<string, User> {
  const users = new Map<string, User>();
  for (const [position, row] of parseCsv(text).entries()) {
    if (row.length < 3) throw new Error(`entry ${position + 1}: needs token, user name and user uid`);
    if (row[0]) users.set(digestOf(row[0]), userOf(row));
  }
  return users;
}

function usersIn(file: string): ReadonlyMap<string, User> {
  const text = readFileSync(file, 'utf8');
  try {
    return readTokenFile(text);
  } catch (error) {
    throw new Error(`${file}, ${(error as Error).message}`);
  }
}

/** Tokens of `--token-auth-file`, read once: they never expire, and a change needs a restart (`authn.token-file.*`). */
export function staticTokenFile(file: string, server: readonly string[]): TokenAuthenticator {
  const users = usersIn(file);
  return {
    name: 'token file',
    authenticateToken(token, audiences) {
      const user = users.get(digestOf(token));
      return user && { user, audiences: serverAudiences(audiences, server) };
    },
  };
}
