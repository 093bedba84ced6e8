import type { SendOptions } from '../../verbs/client.ts';
import type { RuleContext, Verbs } from '../../verbs/context.ts';
import { type Identity, whoAmI } from './identity.ts';

type Headers = NonNullable<SendOptions['headers']>;

const mayAsk = [{ apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: ['create'] }];

/** How the server answers a caller who asks for what nobody but an administrator may see: 401, 403 or 200. */
export const reception = async (caller: Verbs, headers: Headers = {}): Promise<number> =>
  (await caller.send('GET', '/api/v1/nodes', { headers })).status;

/** Whom the server takes a caller for, by the words of its refusal; the status where it is no refusal of a user. */
export async function nameOf(caller: Verbs, headers: Headers = {}): Promise<string> {
  const { status, body } = await caller.send('GET', '/api/v1/nodes', { headers });
  if (status !== 403) return String(status);
  return /User "([^"]*)"/.exec(body?.message ?? '')?.[1] ?? 'nobody that the refusal names';
}

/** All that the server knows of a caller of that name. Gives the name the right to ask, and waits until it counts. */
export async function identify(
  context: RuleContext,
  caller: Verbs,
  name: string,
  headers: Headers = {},
): Promise<Identity> {
  const role = await context.clusterRoles.create({ rules: mayAsk });
  const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name }];
  await context.clusterRoleBindings.create({ subjects, roleRef: { name: role.metadata.name } });
  const ask = async () =>
    (await caller.signingRequests.post(caller.signingRequests.sample(), { dryRun: 'All' }, { headers })).status;
  await context.waitUntil(`${name} may ask who it is`, ask, (status) => status === 201);
  return whoAmI(caller, headers);
}
