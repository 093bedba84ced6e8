import type { KubeObject } from '../base/kube-object.ts';
import type { Clock } from '../base/time/clock.ts';
import type { User } from '../base/user.ts';
import type { Lookup } from '../kinds/strategy.ts';
import { sameSecret } from './digest.ts';
import { knownUser, noExtra } from './known-user.ts';
import { parseTime } from './rfc3339.ts';
import { serverAudiences, type TokenAuthenticator } from './token-authenticator.ts';

const form = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const secretType = 'bootstrap.kubernetes.io/token';
const namespace = 'kube-system';
const group = 'system:bootstrappers';
const extraGroup = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** Texts of a Secret's data, decoded. */
function dataOf(secret: KubeObject | undefined): (key: string) => string {
  const data = new Map(Object.entries((secret?.data ?? {}) as Record<string, unknown>));
  return (key) => {
    const value = data.get(key);
    return typeof value === 'string' ? Buffer.from(value, 'base64').toString() : '';
  };
}

function groupsOf(extra: string): string[] {
  const extras = extra ? [...new Set(extra.split(','))].sort() : [];
  if (!extras.every((each) => extraGroup.test(each))) throw new Error('a group is not one of bootstrappers');
  return [group, ...extras];
}

function judge(secret: KubeObject | undefined, id: string, secretPart: string, now: number): User {
  const data = dataOf(secret);
  // Compared in any case, so that an unknown id takes as long as a wrong secret, and both say the same.
  const matches = sameSecret(data('token-secret'), secretPart);
  if (!secret || !matches || secret.type !== secretType || secret.metadata.deletionTimestamp) {
    throw new Error('no such token');
  }
  if (data('token-id') !== id) throw new Error('no such token');
  const expiration = data('expiration');
  if (expiration && !(parseTime(expiration) > now)) throw new Error('the token has expired');
  if (data('usage-bootstrap-authentication') !== 'true') throw new Error('the token is not meant for authentication');
  const groups = groupsOf(data('auth-extra-groups'));
  return knownUser({ name: `system:bootstrap:${id}`, uid: '', groups, extra: noExtra });
}

/** Tokens that stand in Secrets `kube-system/bootstrap-token-<id>` (`authn.bootstrap.*`). */
export const bootstrapToken = (lookup: Lookup, clock: Clock, server: readonly string[]): TokenAuthenticator => ({
  name: 'bootstrap token',
  async authenticateToken(token, audiences) {
    const [, id, secretPart] = form.exec(token) ?? [];
    if (id === undefined || secretPart === undefined) return undefined;
    const secret = await lookup.get('', 'secrets', namespace, `bootstrap-token-${id}`);
    return { user: judge(secret, id, secretPart, clock.now()), audiences: serverAudiences(audiences, server) };
  },
});
