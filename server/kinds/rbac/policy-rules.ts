import { type FieldError, invalidValue, required } from '../../base/field-error.ts';
import type { FieldPath } from '../../base/field-path.ts';
import { eachOf } from '../field-rules.ts';

export const rbacGroup = 'rbac.authorization.k8s.io';

/** What a role grants. */
export interface PolicyRule {
  verbs?: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

const some = (list: readonly string[] | undefined) => (list?.length ?? 0) > 0;

/** A rule is about resources or, in cluster roles only, about URLs. Which groups, resources and verbs exist is not asked. */
export const validatePolicyRules = (rules: readonly PolicyRule[] | undefined, namespaced: boolean, at: FieldPath) =>
  eachOf(rules, at, (rule, here) => [
    ...(some(rule.verbs) ? [] : [required(here.child('verbs'), 'a rule needs at least one verb')]),
    ...(some(rule.nonResourceURLs) ? validateUrlRule(rule, namespaced, here) : validateResourceRule(rule, here)),
  ]);

function validateUrlRule(rule: PolicyRule, namespaced: boolean, at: FieldPath): FieldError[] {
  const urls = at.child('nonResourceURLs');
  const mixed = some(rule.apiGroups) || some(rule.resources) || some(rule.resourceNames);
  return [
    ...(namespaced ? [invalidValue(urls, rule.nonResourceURLs, 'a namespaced rule cannot grant URLs')] : []),
    ...(mixed ? [invalidValue(urls, rule.nonResourceURLs, 'a rule cannot grant both resources and URLs')] : []),
  ];
}

const validateResourceRule = (rule: PolicyRule, at: FieldPath): FieldError[] => [
  ...(some(rule.apiGroups)
    ? []
    : [required(at.child('apiGroups'), 'a rule for resources needs at least one API group')]),
  ...(some(rule.resources)
    ? []
    : [required(at.child('resources'), 'a rule for resources needs at least one resource')]),
];
