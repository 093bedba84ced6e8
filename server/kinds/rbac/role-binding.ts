import { defineKind } from '../strategy.ts';
import { type Binding, bindingRules, bindingTable } from './binding-rules.ts';

export const roleBinding = defineKind<Binding>({
  ...bindingRules(['Role', 'ClusterRole'], false),
  kind: 'RoleBinding',
  resource: 'rolebindings',
  table: bindingTable(
    'roleBinding',
    'RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
  ),
});
