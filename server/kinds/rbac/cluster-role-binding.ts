import { pathSegmentName } from '../../base/names.ts';
import { defineKind } from '../strategy.ts';
import {
  type Binding,
  bindingTable,
  defaultBinding,
  rbacGroup,
  roleRefStays,
  validateBinding,
} from './binding-rules.ts';

const validate = (binding: Binding) => validateBinding(binding, ['ClusterRole'], true);

export const clusterRoleBinding = defineKind<Binding>({
  group: rbacGroup,
  version: 'v1',
  kind: 'ClusterRoleBinding',
  resource: 'clusterrolebindings',
  nameRule: pathSegmentName,
  createOnUpdate: true,
  default: defaultBinding,
  validate,
  // An update is checked as a new object and as an update, and clients see each cause twice.
  validateUpdate: (next, previous) => [...validate(next), ...roleRefStays(next, previous)],
  table: bindingTable(
    'clusterRoleBinding',
    'RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
  ),
});
