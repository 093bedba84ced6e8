import type { Authentication } from './authn/index.ts';
import type { Authorization } from './authz/index.ts';
import { customResourceDefinition } from './custom-resources/definition/definition.ts';
import { type KindOptions, kindsFor } from './kinds/index.ts';
import type { KindRules, Operation } from './kinds/strategy.ts';

/** All kinds with rules of their own, with the operations that only a running server has. */
export const servedKinds = (
  options: KindOptions,
  authentication: Authentication,
  authorization: Authorization,
): readonly KindRules[] => [
  ...withTokens(kindsFor(options), authentication.tokenRequest),
  ...virtualKinds({ ...authorization.reviews, tokenreviews: authentication.tokenReview }),
  customResourceDefinition,
];

/** Service accounts with the operation that signs their tokens. */
const withTokens = (all: readonly KindRules[], token: Operation): readonly KindRules[] =>
  all.map((rules) =>
    rules.kind === 'ServiceAccount' ? { ...rules, operations: { ...rules.operations, token: { run: token } } } : rules,
  );

const virtualKindNames: Readonly<Record<string, string>> = {
  tokenreviews: 'TokenReview',
  subjectaccessreviews: 'SubjectAccessReview',
  selfsubjectaccessreviews: 'SelfSubjectAccessReview',
  localsubjectaccessreviews: 'LocalSubjectAccessReview',
  selfsubjectrulesreviews: 'SelfSubjectRulesReview',
};

/** Kinds that store nothing: posting to them runs the operation. */
const virtualKinds = (operations: Readonly<Record<string, Operation>>): readonly KindRules[] =>
  Object.entries(operations).map(([resource, operation]) => ({
    group: resource === 'tokenreviews' ? 'authentication.k8s.io' : 'authorization.k8s.io',
    version: 'v1',
    kind: virtualKindNames[resource] ?? '',
    resource,
    operations: { '': { run: operation } },
  }));
