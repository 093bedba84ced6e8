import { defineKind } from '../strategy.ts';
import { type Binding, bindingRules, bindingTable } from './binding-rules.ts';

export const clusterRoleBinding = defineKind<Binding>({
  ...bindingRules(['ClusterRole'], true),
  kind: 'ClusterRoleBinding',
  resource: 'clusterrolebindings',
  table: bindingTable(
    'clusterRoleBinding',
    'RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
  ),
});
