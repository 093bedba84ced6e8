import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { pathSegmentName } from '../../base/names.ts';
import { dropEmptyLists } from '../empty-lists.ts';
import { defineKind } from '../strategy.ts';
import { createdAtColumn, nameColumn } from '../table-cells.ts';
import { type PolicyRule, validatePolicyRules } from './policy-rules.ts';

interface Role extends KubeObject {
  rules?: PolicyRule[];
}

const validate = ({ rules }: Role) => validatePolicyRules(rules, true, FieldPath.of('rules'));

export const role = defineKind<Role>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  resource: 'roles',
  nameRule: pathSegmentName,
  prepareCreate: (role) => dropEmptyLists(role, ['rules']),
  prepareUpdate: (role) => dropEmptyLists(role, ['rules']),
  createOnUpdate: true,
  validate,
  // An update is checked as a new object and as an update, and clients see each cause twice.
  validateUpdate: validate,
  table: {
    columns: [nameColumn, createdAtColumn],
    cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp],
  },
});
