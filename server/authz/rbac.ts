import type { User } from '../base/user.ts';
import { rbacGroup } from '../kinds/rbac/policy-rules.ts';
import type { Action, Authorizer, Decision, PathAction, ResourceAction } from './authorizer.ts';
import {
  type CompiledRule,
  holdsBesidesResource,
  type PolicyRule,
  resourceKeys,
  ruleHoldsPath,
} from './policy-rule.ts';
import { type RbacIndex, type Reach, type RoleRef, subjectsOf } from './rbac-index.ts';

/** What a user may do in one namespace. */
export interface RuleList {
  readonly rules: readonly PolicyRule[];
  /** Roles that bindings name and that are not there. */
  readonly missing: readonly RoleRef[];
}

/** One rule in force for a subject, with the way it came. */
interface Grant {
  readonly rule: CompiledRule;
  readonly reach: Reach;
}

/** All that one subject is granted in one namespace, or cluster-wide. */
interface Grants {
  readonly byResource: ReadonlyMap<string, readonly Grant[]>;
  readonly paths: readonly Grant[];
  /** Roles that bindings name and that are not there. */
  readonly missing: readonly string[];
}

const nothing: Grants = { byResource: new Map(), paths: [], missing: [] };

/** How messages name a role that is not there. */
export const missingRole = ({ kind, name }: RoleRef) =>
  `${kind.toLowerCase()}.${rbacGroup} ${JSON.stringify(name)} not found`;

function whyAllowed({ binding, subject }: Reach): string {
  const name = binding.namespace ? `${binding.name}/${binding.namespace}` : binding.name;
  const role = `${binding.roleRef.kind} ${JSON.stringify(binding.roleRef.name)}`;
  return `RBAC: allowed by ${binding.kind} ${JSON.stringify(name)} of ${role} to ${subject}`;
}

const allowedBy = ({ reach }: Grant): Decision => ({ decision: 'allow', reason: whyAllowed(reach) });

/** Several texts as one: alone it stands as it is, more stand in brackets, each once. */
export function joinErrors(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}

/**
 * Authorization by roles and bindings. What a subject is granted is gathered when it first acts and kept until
 * roles or bindings change, so a decision is a few look-ups however many bindings there are.
 */
export class RbacAuthorizer implements Authorizer {
  readonly #index: RbacIndex;
  #version = -1;
  /** subject -> namespace -> grants; only of subjects that are bound, so callers cannot make it grow */
  #grants = new Map<string, Map<string, Grants>>();
  constructor(index: RbacIndex) {
    this.#index = index;
  }

  authorize(user: User, action: Action): Decision {
    const subjects = subjectsOf(user);
    const scopes = action.type === 'resource' && action.namespace ? ['', action.namespace] : [''];
    const missing: string[] = [];
    for (const scope of scopes) {
      for (const subject of subjects) {
        const grants = this.#grantsOf(subject, scope);
        const grant = action.type === 'path' ? pathGrant(grants, action) : resourceGrant(grants, action);
        if (grant) return allowedBy(grant);
        missing.push(...grants.missing);
      }
    }
    return { decision: 'no opinion', reason: missing.length ? `RBAC: ${joinErrors(missing)}` : '' };
  }

  /** Every rule the user holds in the namespace, cluster-wide ones first. */
  rulesFor(user: User, namespace: string): RuleList {
    const rules: PolicyRule[] = [];
    const missing: RoleRef[] = [];
    const seen = new Set<Reach['binding']>();
    for (const scope of namespace ? ['', namespace] : ['']) {
      for (const subject of subjectsOf(user)) {
        for (const reach of this.#index.reaching(subject, scope)) {
          if (seen.has(reach.binding)) continue;
          seen.add(reach.binding);
          const role = this.#index.role(reach.binding.roleRef, scope);
          if (role) for (const { rule } of role.rules) rules.push(rule);
          else missing.push(reach.binding.roleRef);
        }
      }
    }
    return { rules, missing };
  }

  #grantsOf(subject: string, scope: string): Grants {
    if (this.#version !== this.#index.version) {
      this.#grants.clear();
      this.#version = this.#index.version;
    }
    const known = this.#grants.get(subject)?.get(scope);
    if (known) return known;
    const gathered = gather(this.#index, subject, scope);
    if (gathered === nothing) return nothing;
    const scopes = this.#grants.get(subject) ?? new Map<string, Grants>();
    this.#grants.set(subject, scopes.set(scope, gathered));
    return gathered;
  }
}

function gather(index: RbacIndex, subject: string, scope: string): Grants {
  const byResource = new Map<string, Grant[]>();
  const paths: Grant[] = [];
  const missing: string[] = [];
  const seen = new Set<CompiledRule>();
  let bound = false;
  for (const reach of index.reaching(subject, scope)) {
    bound = true;
    const role = index.role(reach.binding.roleRef, scope);
    if (!role) {
      missing.push(missingRole(reach.binding.roleRef));
      continue;
    }
    for (const rule of role.rules) {
      if (seen.has(rule)) continue;
      seen.add(rule);
      const grant = { rule, reach };
      for (const resource of rule.resources) {
        const grants = byResource.get(resource);
        if (grants) grants.push(grant);
        else byResource.set(resource, [grant]);
      }
      if (scope === '' && rule.urls.size) paths.push(grant);
    }
  }
  return bound ? { byResource, paths, missing } : nothing;
}

function resourceGrant(grants: Grants, action: ResourceAction): Grant | undefined {
  if (!grants.byResource.size) return undefined;
  for (const key of resourceKeys(action)) {
    const grant = grants.byResource.get(key)?.find(({ rule }) => holdsBesidesResource(rule, action));
    if (grant) return grant;
  }
  return undefined;
}

const pathGrant = (grants: Grants, action: PathAction): Grant | undefined =>
  grants.paths.find(({ rule }) => ruleHoldsPath(rule, action));
