import type { KubeObject } from '../base/kube-object.ts';
import { badRequest } from '../base/status-error.ts';
import { fieldsOf } from '../base/untyped.ts';
import type { User } from '../base/user.ts';
import type { Operation } from '../kinds/strategy.ts';
import type { TokenUser } from './token-authenticator.ts';

const shown = ({ name, uid, groups, extra }: User) => ({
  username: name,
  ...(uid && { uid }),
  ...(groups.length && { groups }),
  ...(Object.keys(extra).length && { extra }),
});

/** It is read as it would be from a header: up to the first blank. */
const asInHeader = (token: string) => token.trim().split(' ')[0] ?? '';

/** Only what the judgement says replaces what was sent as status. */
async function statusOf(
  judged: Promise<TokenUser>,
  { authenticated: _authenticated, ...sent }: Record<string, unknown>,
) {
  try {
    const { user, audiences } = await judged;
    return { ...sent, authenticated: true, user: shown(user), audiences };
  } catch (error) {
    return { ...sent, user: fieldsOf(sent['user']), error: (error as Error).message };
  }
}

/**
 * TokenReview: asks about a token of any kind (`judge` throws for one that nobody accepts). Without audiences it is
 * judged for those of this server.
 */
export const tokenReview =
  (judge: (token: string, audiences: readonly string[]) => Promise<TokenUser>, server: readonly string[]): Operation =>
  async ({ body }) => {
    const { namespace: _namespace, ...metadata } = body?.metadata ?? {};
    const spec = fieldsOf(body?.spec);
    const { token, audiences } = spec;
    if (typeof token !== 'string' || !token) throw badRequest('token is required for TokenReview in authentication');
    const asked = Array.isArray(audiences) && audiences.length ? audiences.map(String) : server;
    const status = await statusOf(judge(asInHeader(token), asked), fieldsOf(body?.['status']));
    const object: KubeObject = { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1', metadata, spec, status };
    return { code: 201, object };
  };
