import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import { FieldPath } from '../../base/field-path.ts';
import type { KubeObject } from '../../base/kube-object.ts';
import { pathSegmentName } from '../../base/names.ts';
import { eachOf } from '../field-rules.ts';
import { type LabelSelectorField, validateLabelSelector } from '../label-selector-field.ts';
import { dropEmptyLists } from '../empty-lists.ts';
import { defineKind } from '../strategy.ts';
import { createdAtColumn, nameColumn } from '../table-cells.ts';
import { type PolicyRule, validatePolicyRules } from './policy-rules.ts';

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
    return errors.length > 0 ? [...errors, invalidValue(here, selector, 'not a valid label selector')] : [];
  });
}

export const clusterRole = defineKind<ClusterRole>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  resource: 'clusterroles',
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
