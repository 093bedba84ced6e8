import type { Json, SendOptions } from '../../verbs/client.ts';
import type { RuleContext, Verbs } from '../../verbs/context.ts';
import { onceAllowed } from '../../verbs/until-status.ts';
import { mustSucceed } from '../../verbs/workspace.ts';

/** Who the server takes a caller for. */
export interface Identity {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Headers for acting as somebody who may do everything, under a name of choice. */
export const mighty = (
  name: string,
  more: NonNullable<SendOptions['headers']> = {},
): NonNullable<SendOptions['headers']> => ({
  'impersonate-user': name,
  'impersonate-group': ['system:masters'],
  ...more,
});

/** A dry run of a signing request tells who made it. The caller needs the right to create one. */
export async function whoAmI(
  { signingRequests }: Verbs,
  headers: NonNullable<SendOptions['headers']> = {},
): Promise<Identity> {
  const send = () => signingRequests.post(signingRequests.sample(), { dryRun: 'All' }, { headers });
  return mustSucceed(await onceAllowed('a request to learn who the caller is', send), 'learn who the caller is').body
    .spec;
}

/** Asks the server about a token. @param audiences for whom it should be; the server itself where none are given */
export async function reviewToken({ send }: Verbs, token: string, audiences?: readonly string[]): Promise<Json> {
  const spec = { token, ...(audiences && { audiences }) };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec };
  return mustSucceed(await send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { body }), 'review a token').body
    .status;
}

/** A token for a service account, bound to this object and for these audiences if they are given. */
export async function requestToken(
  { serviceAccounts, send }: RuleContext,
  name: string,
  boundObjectRef?: Json,
  audiences?: readonly string[],
): Promise<string> {
  const spec = { ...(boundObjectRef && { boundObjectRef }), ...(audiences && { audiences }) };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const answer = mustSucceed(
    await send('POST', await serviceAccounts.path(name, 'token'), { body }),
    'request a token',
  );
  return answer.body.status?.token ?? '';
}

/** A service account of the rule's own with a token for it. */
export async function serviceAccountToken(context: RuleContext): Promise<{ account: Json; token: string }> {
  const account = await context.serviceAccounts.create();
  return { account, token: await requestToken(context, account.metadata.name) };
}

/** A caller who is no administrator: a service account with these rights in the whole cluster. */
export async function callerWith(context: RuleContext, rules: readonly Json[]): Promise<Verbs> {
  const { account, token } = await serviceAccountToken(context);
  const role = await context.clusterRoles.create({ rules });
  const { name, namespace } = account.metadata;
  await context.clusterRoleBindings.create({
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
    roleRef: { name: role.metadata.name },
  });
  return context.withToken(token);
}
