import type { KubeObject } from '../base/kube-object.ts';
import { fieldsOf, textOf } from '../base/untyped.ts';
import type { User } from '../base/user.ts';
import { rbacGroup } from '../kinds/rbac/policy-rules.ts';
import { follow } from '../store/follow.ts';
import { groupPrefix, resourceIn } from '../store/object-keys.ts';
import type { Store, Subscription } from '../store/store.ts';
import { type CompiledRule, compileRule, rulesOf } from './policy-rule.ts';

export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** A role with its rules compiled. */
export interface Role {
  readonly kind: 'Role' | 'ClusterRole';
  readonly name: string;
  readonly rules: readonly CompiledRule[];
}

/** A binding as far as judging needs it. */
export interface Binding {
  readonly kind: 'RoleBinding' | 'ClusterRoleBinding';
  readonly name: string;
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

/** Who is bound, as a key: see `userSubject`, `groupSubject`. */
type SubjectKey = string;

export interface Subject {
  readonly key: SubjectKey;
  /** As messages name it: `User "bob"`, `ServiceAccount "robot/prod"`. */
  readonly text: string;
}

const userSubject = (name: string): SubjectKey => `u ${name}`;
const groupSubject = (name: string): SubjectKey => `g ${name}`;

/** A binding that reaches a subject, with the words for it. */
export interface Reach {
  readonly binding: Binding;
  readonly subject: string;
}

function subjectOf(value: unknown, namespace: string): Subject | undefined {
  const subject = fieldsOf(value);
  const name = textOf(subject.name);
  if (subject.kind === 'User') return { key: userSubject(name), text: `User ${JSON.stringify(name)}` };
  if (subject.kind === 'Group') return { key: groupSubject(name), text: `Group ${JSON.stringify(name)}` };
  if (subject.kind !== 'ServiceAccount') return undefined;
  const home = textOf(subject.namespace) || namespace;
  if (!home) return undefined;
  return {
    key: userSubject(`system:serviceaccount:${home}:${name}`),
    text: `ServiceAccount ${JSON.stringify(`${name}/${home}`)}`,
  };
}

function bindingOf(kind: Binding['kind'], object: KubeObject): Binding {
  const namespace = object.metadata.namespace ?? '';
  const ref = fieldsOf(object.roleRef);
  const subjects = Array.isArray(object.subjects) ? object.subjects : [];
  return {
    kind,
    namespace,
    name: object.metadata.name ?? '',
    roleRef: { kind: textOf(ref.kind), name: textOf(ref.name) },
    subjects: subjects.map((each) => subjectOf(each, namespace)).filter((each) => each !== undefined),
  };
}

const roleKey = (kind: string, namespace: string, name: string) =>
  kind === 'ClusterRole' ? `c ${name}` : `r ${namespace} ${name}`;

/** The subjects that a user is: itself and its groups. */
export function subjectsOf(user: User): SubjectKey[] {
  const keys = [userSubject(user.name)];
  for (const group of user.groups) keys.push(groupSubject(group));
  return keys;
}

/**
 * All roles and bindings, kept up with the store: a change is in force when the write that made it returns (with a
 * store of this process). Bindings are found by subject and namespace, never by looking through all of them.
 */
export class RbacIndex {
  readonly #roles = new Map<string, Role>();
  readonly #bindings = new Map<string, Binding>();
  /** subject -> namespace (`''`: cluster-wide) -> binding's key -> how it reaches the subject */
  readonly #reach = new Map<SubjectKey, Map<string, Map<string, Reach>>>();
  #version = 0;

  /** Rises with every change; what was worked out at an older version is void. */
  get version(): number {
    return this.#version;
  }

  /** Reads all of RBAC and follows it until the subscription is stopped. */
  follow(store: Store): Promise<Subscription> {
    return follow(store, groupPrefix(rbacGroup), {
      each: ({ key, previous, current }) => this.#put(key, previous?.value, current?.value),
    });
  }

  /** Rules of the role that a binding in `namespace` (`''`: cluster-wide) refers to; undefined when it is not there. */
  role(ref: RoleRef, namespace: string): Role | undefined {
    return this.#roles.get(roleKey(ref.kind, namespace, ref.name));
  }

  /** Bindings of one namespace (`''`: cluster-wide) that reach the subject. */
  reaching(subject: SubjectKey, namespace: string): Iterable<Reach> {
    return this.#reach.get(subject)?.get(namespace)?.values() ?? [];
  }

  /** Takes over one change of a stored object; other resources are left alone. */
  #put(key: string, previous: KubeObject | undefined, current: KubeObject | undefined): void {
    const resource = resourceIn(key);
    if (resource === 'roles') this.#putRole('Role', previous, current);
    else if (resource === 'clusterroles') this.#putRole('ClusterRole', previous, current);
    else if (resource === 'rolebindings') this.#putBinding(key, 'RoleBinding', current);
    else if (resource === 'clusterrolebindings') this.#putBinding(key, 'ClusterRoleBinding', current);
    else return;
    this.#version++;
  }

  #putRole(kind: Role['kind'], previous: KubeObject | undefined, current: KubeObject | undefined): void {
    const metadata = (current ?? previous)?.metadata;
    const name = metadata?.name ?? '';
    const key = roleKey(kind, metadata?.namespace ?? '', name);
    if (current) this.#roles.set(key, { kind, name, rules: rulesOf(current.rules).map(compileRule) });
    else this.#roles.delete(key);
  }

  #putBinding(key: string, kind: Binding['kind'], current: KubeObject | undefined): void {
    const before = this.#bindings.get(key);
    if (before) this.#detach(key, before);
    if (!current) {
      this.#bindings.delete(key);
      return;
    }
    const binding = bindingOf(kind, current);
    this.#bindings.set(key, binding);
    for (const { key: subject, text: words } of binding.subjects) {
      const namespaces = getOrMake(this.#reach, subject, () => new Map());
      getOrMake(namespaces, binding.namespace, () => new Map()).set(key, { binding, subject: words });
    }
  }

  #detach(key: string, binding: Binding): void {
    for (const { key: subject } of binding.subjects) {
      const namespaces = this.#reach.get(subject);
      const keys = namespaces?.get(binding.namespace);
      keys?.delete(key);
      if (keys?.size === 0) namespaces?.delete(binding.namespace);
      if (namespaces?.size === 0) this.#reach.delete(subject);
    }
  }
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
