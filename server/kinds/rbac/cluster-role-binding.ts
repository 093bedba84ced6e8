import { defineKind } from '../strategy.ts';
import { type Binding, bindingRules, bindingTable } from './binding-rules.ts';

export const clusterRoleBinding = defineKind<Binding>({
  ...bindingRules(['ClusterRole'], true),
  kind: 'ClusterRoleBinding',
  resource: 'clusterrolebindings',
  table: bindingTable('binding', 'The cluster role that is granted.'),
});
