import type { AdmissionAttributes, AdmissionPlugin } from '../admission/admission.ts';
import { deepEqual } from '../base/deep-equal.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { forbidden, notFound, type StatusError } from '../base/status-error.ts';
import { mastersGroup, type User } from '../base/user.ts';
import { rbacGroup } from '../kinds/rbac/policy-rules.ts';
import type { Authorizer } from './authorizer.ts';
import { type PolicyRule, rulesOf } from './policy-rule.ts';
import type { RbacAuthorizer } from './rbac.ts';
import type { RbacIndex, RoleRef } from './rbac-index.ts';
import { missingRules, ruleText } from './rule-cover.ts';

export interface EscalationCheck {
  readonly index: RbacIndex;
  /** Who holds what. */
  readonly rbac: RbacAuthorizer;
  /** Judges the verbs `escalate` and `bind`. */
  readonly authorizer: Authorizer;
}

/** Whoever writes an aggregationRule may gather any rule, so must hold all of them. */
const everything: readonly PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

const resources = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'];

/**
 * Nobody grants more than they hold: refuses writes of roles with rules, and of bindings to roles with rules, that
 * the writer does not hold itself, unless it has the verb `escalate` on the role or `bind` on the bound role.
 * Runs before validation and after every part that can still change the object.
 */
export const escalationCheck = (check: EscalationCheck): AdmissionPlugin => ({
  name: 'RBACEscalation',
  cares: [{ operations: ['CREATE', 'UPDATE'], groups: [rbacGroup], resources }],
  async check(attributes) {
    const { object, oldObject, user } = attributes;
    if (!object || user.groups.includes(mastersGroup) || grantsNothingNew(object, oldObject)) return;
    if (attributes.resource.resource.endsWith('bindings')) await checkBinding(check, attributes, object);
    else await checkRole(check, attributes, object);
  },
});

/** What grants nothing, without the fields that garbage collection and the server itself write. */
function besidesUpkeep({ metadata, ...rest }: KubeObject) {
  const {
    ownerReferences: _owners,
    finalizers: _held,
    managedFields: _fields,
    resourceVersion: _at,
    ...kept
  } = metadata;
  return { ...rest, metadata: kept };
}

/**
 * Owner references and finalizers alone grant nothing: collecting garbage must go on whoever holds what. Neither does
 * what changes nothing at all.
 */
const grantsNothingNew = (next: KubeObject, previous: KubeObject | undefined): boolean =>
  previous !== undefined && deepEqual(besidesUpkeep(next), besidesUpkeep(previous));

async function may(check: EscalationCheck, user: User, verb: string, ref: Target): Promise<boolean> {
  const about = { group: rbacGroup, version: '*', subresource: '', ...ref };
  return (await check.authorizer.authorize(user, { type: 'resource', verb, ...about })).decision === 'allow';
}

interface Target {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** A rule without selectors gathers nothing, and is refused as invalid. */
const gathers = (role: KubeObject | undefined): boolean =>
  ((role as Aggregated | undefined)?.aggregationRule?.clusterRoleSelectors ?? []).length > 0;

interface Aggregated extends KubeObject {
  aggregationRule?: { clusterRoleSelectors?: readonly unknown[] };
}

async function checkRole(check: EscalationCheck, attributes: AdmissionAttributes, object: KubeObject): Promise<void> {
  const { user, namespace, operation, resource } = attributes;
  // A create is judged before its name counts, so `escalate` limited to names does not help there.
  const name = operation === 'CREATE' ? '' : attributes.name;
  if (await may(check, user, 'escalate', { resource: resource.resource, namespace, name })) return;
  refuseIfMissing(check, attributes, rulesOf(object.rules));
  if ([object, attributes.oldObject].some(gathers)) refuseIfMissing(check, attributes, everything);
}

async function checkBinding(
  check: EscalationCheck,
  attributes: AdmissionAttributes,
  object: KubeObject,
): Promise<void> {
  const { user } = attributes;
  const namespace = attributes.resource.resource === 'rolebindings' ? attributes.namespace : '';
  const ref = (object.roleRef ?? {}) as Partial<RoleRef>;
  const { kind, name } = { kind: ref.kind ?? '', name: ref.name ?? '' };
  const resource = kind === 'Role' ? 'roles' : 'clusterroles';
  if (await may(check, user, 'bind', { resource, namespace, name })) return;
  const role = check.index.role({ kind, name }, namespace);
  if (!role) throw notFound({ group: rbacGroup, resource }, name);
  refuseIfMissing(
    check,
    attributes,
    role.rules.map(({ rule }) => rule),
  );
}

function refuseIfMissing(check: EscalationCheck, attributes: AdmissionAttributes, asked: readonly PolicyRule[]): void {
  const { user, namespace } = attributes;
  const held = check.rbac.rulesFor(user, namespace);
  const missing = missingRules(asked, held.rules);
  if (missing.length) throw overreach(attributes, missing, held.missing);
}

/** How the storage of roles names one that is not there. */
const absent = ({ kind, name }: RoleRef) => `${kind.toLowerCase()}s.${rbacGroup} ${JSON.stringify(name)} not found`;

function overreach(
  { resource, object, name, user }: AdmissionAttributes,
  missing: readonly PolicyRule[],
  unresolved: readonly RoleRef[],
): StatusError {
  const groups = user.groups.map((group) => JSON.stringify(group)).join(' ');
  const lines = [...new Set(missing.map(ruleText))].sort().join('\n');
  const errors = [...new Set(unresolved.map(absent))].join(', ');
  const who = `user ${JSON.stringify(user.name)} (groups=[${groups}])`;
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${lines}`;
  return forbidden(
    { group: rbacGroup, resource: resource.resource },
    object?.metadata.name || name,
    errors ? `${why}; resolution errors: [${errors}]` : why,
  );
}
