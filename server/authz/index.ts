import type { AdmissionPlugin } from '../admission/admission.ts';
import { freshly } from '../base/caches/freshly.ts';
import type { ObjectMeta } from '../base/kube-object.ts';
import type { Clock } from '../base/time/clock.ts';
import { JsonCaller } from '../http-client/json-call.ts';
import { readRemoteService } from '../http-client/kubeconfig.ts';
import { rbacGroup } from '../kinds/rbac/policy-rules.ts';
import type { Operation } from '../kinds/strategy.ts';
import { bootstrapObjects } from '../schema/load.ts';
import type { Store, Subscription } from '../store/store.ts';
import type { Authorizer } from './authorizer.ts';
import { allowMasters, alwaysAllow, alwaysDeny, union } from './authorizer.ts';
import { escalationCheck } from './escalation.ts';
import { nodeAuthorizer } from './node.ts';
import { NodeRelations } from './node-relations.ts';
import type { AuthzOptions } from './options.ts';
import { type PolicyRule, rulesOf } from './policy-rule.ts';
import { joinErrors, missingRole, RbacAuthorizer } from './rbac.ts';
import { RbacIndex } from './rbac-index.ts';
import {
  localSubjectAccessReview,
  type RuleSource,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
} from './reviews.ts';
import { webhookAuthorizer } from './webhook.ts';

/** All of authorization, as the server uses it. */
export interface Authorization {
  readonly authorizer: Authorizer;
  /** Refuses writes of roles and bindings that grant more than the writer holds; runs last of the mutating steps, always. */
  readonly escalation: AdmissionPlugin;
  /** The kinds of `authorization.k8s.io/v1`, by resource. */
  readonly reviews: Readonly<Record<string, Operation>>;
  /** Ends what follows the store and keeps connections. */
  stop(): void;
}

/** The rules that every node holds, as the bootstrap role for nodes states them. */
function rulesOfNodes(): readonly PolicyRule[] {
  const roles = bootstrapObjects()[`/apis/${rbacGroup}/v1/clusterroles`] ?? [];
  return rulesOf(roles.find(({ metadata }) => (metadata as ObjectMeta).name === 'system:node')?.rules);
}

interface Parts {
  readonly rbac: RbacAuthorizer;
  readonly store: Store;
  readonly clock: Clock;
  readonly closers: (() => void)[];
}

function webhookOf(options: AuthzOptions, { clock, closers }: Parts): Authorizer {
  const caller = new JsonCaller(freshly(clock, () => readRemoteService(options.authorizationWebhookConfigFile ?? '')));
  closers.push(() => caller.close());
  return webhookAuthorizer(
    (review) => caller.post(review),
    {
      version: options.authorizationWebhookVersion === 'v1' ? 'v1' : 'v1beta1',
      authorizedTtlMs: options.authorizationWebhookCacheAuthorizedTtl,
      unauthorizedTtlMs: options.authorizationWebhookCacheUnauthorizedTtl,
    },
    clock,
  );
}

async function nodeOf({ store, closers }: Parts): Promise<Authorizer> {
  const relations = new NodeRelations();
  const subscription = await relations.follow(store);
  closers.push(() => subscription.stop());
  return nodeAuthorizer(relations, rulesOfNodes());
}

async function authorizerOf(mode: string, options: AuthzOptions, parts: Parts): Promise<Authorizer> {
  if (mode === 'RBAC') return parts.rbac;
  if (mode === 'Node') return nodeOf(parts);
  if (mode === 'Webhook') return webhookOf(options, parts);
  return mode === 'AlwaysAllow' ? alwaysAllow : alwaysDeny;
}

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** Gathers rules from the modes that have any; the others decide alone, so the list says that it may lack something. */
const ruleSource = (modes: readonly string[], rbac: RbacAuthorizer): RuleSource => ({
  rulesFor(user, namespace) {
    const rules: PolicyRule[] = [];
    const errors: string[] = [];
    for (const mode of modes) {
      if (mode === 'AlwaysAllow') rules.push(...everything);
      else if (mode === 'RBAC') {
        const held = rbac.rulesFor(user, namespace);
        rules.push(...held.rules);
        errors.push(...held.missing.map(missingRole));
      } else if (mode !== 'AlwaysDeny') {
        errors.push(`${mode.toLowerCase()} authorizer does not support user rule resolution`);
      }
    }
    return { rules, incomplete: errors.length > 0, error: errors.length ? joinErrors(errors) : '' };
  },
});

/** Builds authorization from checked options (see `checkAuthzOptions`) and follows roles and bindings in the store. */
export async function buildAuthorization(options: AuthzOptions, store: Store, clock: Clock): Promise<Authorization> {
  const index = new RbacIndex();
  const following: Subscription = await index.follow(store);
  const rbac = new RbacAuthorizer(index);
  const closers = [() => following.stop()];
  const parts: Parts = { rbac, store, clock, closers };
  const authorizers: Authorizer[] = [allowMasters];
  for (const mode of options.authorizationMode) authorizers.push(await authorizerOf(mode, options, parts));
  const authorizer = union(authorizers);
  return {
    authorizer,
    escalation: escalationCheck({ index, rbac, authorizer }),
    reviews: {
      subjectaccessreviews: subjectAccessReview(authorizer),
      selfsubjectaccessreviews: selfSubjectAccessReview(authorizer),
      localsubjectaccessreviews: localSubjectAccessReview(authorizer),
      selfsubjectrulesreviews: selfSubjectRulesReview(ruleSource(options.authorizationMode, rbac)),
    },
    stop: () => {
      for (const close of closers) close();
    },
  };
}
