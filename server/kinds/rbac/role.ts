import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { defineKind } from '../strategy.ts';
import { type PolicyRule, validatePolicyRules } from './policy-rules.ts';
import { roleRules } from './role-rules.ts';

interface Role extends KubeObject {
  rules?: PolicyRule[];
}

const rulesAt = FieldPath.of('rules');

export const role = defineKind<Role>({
  ...roleRules<Role>(({ rules }) => validatePolicyRules(rules, true, rulesAt)),
  kind: 'Role',
  resource: 'roles',
});
