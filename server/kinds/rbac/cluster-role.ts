import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { eachOf } from '../field-rules.ts';
import { isSelector, type LabelSelectorField, validateLabelSelector } from '../label-selector-field.ts';
import { defineKind } from '../strategy.ts';
import { type PolicyRule, validatePolicyRules } from './policy-rules.ts';
import { roleRules } from './role-rules.ts';

interface ClusterRole extends KubeObject {
  rules?: PolicyRule[];
  aggregationRule?: { clusterRoleSelectors?: LabelSelectorField[] };
}

const rulesAt = FieldPath.of('rules');
const selectorsAt = FieldPath.of('aggregationRule', 'clusterRoleSelectors');

const validate = ({ rules, aggregationRule }: ClusterRole): FieldError[] => [
  ...validatePolicyRules(rules, false, rulesAt),
  ...(aggregationRule ? validateAggregation(aggregationRule.clusterRoleSelectors ?? []) : []),
];

function validateAggregation(selectors: readonly LabelSelectorField[]): FieldError[] {
  if (selectors.length === 0) return [required(selectorsAt, 'an aggregation rule needs at least one selector')];
  return eachOf(selectors, selectorsAt, (selector, here) => {
    const errors = validateLabelSelector(selector, here);
    return isSelector(selector, here) ? [] : [...errors, invalidValue(here, selector, 'not a valid label selector')];
  });
}

export const clusterRole = defineKind<ClusterRole>({
  ...roleRules(validate),
  kind: 'ClusterRole',
  resource: 'clusterroles',
});
