import type { Json } from './client.ts';
import type { RuleContext } from './context.ts';

/** Grants a user these rules in the rule's own namespace. */
export async function allowInNamespace(
  { roles, roleBindings }: RuleContext,
  user: string,
  rules: readonly Json[],
): Promise<void> {
  const role = await roles.create({ rules });
  await roleBindings.create({ ...subject(user), roleRef: { name: role.metadata.name } });
}

/** Grants a user these rules in the whole cluster. */
export async function allowEverywhere(
  { clusterRoles, clusterRoleBindings }: RuleContext,
  user: string,
  rules: readonly Json[],
): Promise<void> {
  const role = await clusterRoles.create({ rules });
  await clusterRoleBindings.create({ ...subject(user), roleRef: { name: role.metadata.name } });
}

const subject = (name: string): Json => ({ subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name }] });
