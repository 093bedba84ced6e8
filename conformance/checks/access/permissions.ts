import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { KindPath } from '../../verbs/kinds.ts';
import type { Write } from '../requests/writes.ts';

/** Grants a user these rules in the rule's own namespace. */
export const allowInNamespace = (context: RuleContext, user: string, rules: readonly Json[]): Promise<void> =>
  grant(context, user, rules, true);

/** Grants a user these rules in the whole cluster. */
export const allowEverywhere = (context: RuleContext, user: string, rules: readonly Json[]): Promise<void> =>
  grant(context, user, rules, false);

/** What deciding on a signing request takes beside the right on the subresource: a verb on its signer. */
const signerVerbs: Readonly<Record<string, string>> = { approval: 'approve', status: 'sign' };

/** What somebody with a right on a write needs beside it. */
export const besideRight = ({ resource, group }: KindPath, { sub }: Pick<Write, 'sub'>): readonly Json[] => {
  const verb = resource === 'certificatesigningrequests' ? signerVerbs[sub] : undefined;
  return verb ? [{ apiGroups: [group], resources: ['signers'], verbs: [verb] }] : [];
};

/** The one rule that a write needs. */
export const rightFor = ({ group, resource }: KindPath, { verb, sub }: Pick<Write, 'verb' | 'sub'>): Json => ({
  apiGroups: [group],
  resources: [sub === '' ? resource : `${resource}/${sub}`],
  verbs: [verb],
});

/** Grants a user these rules where the objects are: in the rule's own namespace, or everywhere. */
export const grant = (context: RuleContext, user: string, rules: readonly Json[], namespaced: boolean): Promise<void> =>
  bind(context, { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }, rules, namespaced);

/** Grants somebody, given as a binding names them, these rules where the objects are. */
export async function bind(
  { roles, roleBindings, clusterRoles, clusterRoleBindings }: RuleContext,
  who: Json,
  rules: readonly Json[],
  namespaced: boolean,
): Promise<void> {
  const [holders, bindings] = namespaced ? [roles, roleBindings] : [clusterRoles, clusterRoleBindings];
  const role = await holders.create({ rules });
  await bindings.create({ subjects: [who], roleRef: { name: role.metadata.name } });
}
