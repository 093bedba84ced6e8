import type { User } from '../base/user.ts';
import { rbacGroup } from '../kinds/rbac/policy-rules.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { PathAction, ResourceAction } from './authorizer.ts';
import type { PolicyRule } from './policy-rule.ts';
import { RbacAuthorizer } from './rbac.ts';
import { RbacIndex } from './rbac-index.ts';

/** A user for tests. */
export const somebody = (name: string, ...groups: string[]): User => ({ name, uid: '', groups, extra: {} });

export const asks = (verb: string, resource: string, more: Partial<ResourceAction> = {}): ResourceAction => {
  const [plural = '', subresource = ''] = resource.split('/');
  return {
    type: 'resource',
    verb,
    group: '',
    version: 'v1',
    resource: plural,
    subresource,
    namespace: '',
    name: '',
    ...more,
  };
};

export const asksPath = (verb: string, path: string): PathAction => ({ type: 'path', verb, path });

export interface TestSubject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export const user = (name: string): TestSubject => ({ kind: 'User', name });
export const group = (name: string): TestSubject => ({ kind: 'Group', name });

/** Roles and bindings in a store of their own. */
export async function rbacWorld() {
  const store = new MemoryStore();
  const index = new RbacIndex();
  const following = await index.follow(store);
  const put = (resource: string, kind: string, namespace: string, name: string, rest: object) =>
    store.create(`${rbacGroup}/${resource}/${namespace}/${name}`, {
      kind,
      apiVersion: `${rbacGroup}/v1`,
      metadata: { name, ...(namespace && { namespace }) },
      ...rest,
    });
  return {
    store,
    index,
    following,
    rbac: new RbacAuthorizer(index),
    role: (namespace: string, name: string, ...rules: PolicyRule[]) => put('roles', 'Role', namespace, name, { rules }),
    clusterRole: (name: string, ...rules: PolicyRule[]) => put('clusterroles', 'ClusterRole', '', name, { rules }),
    bind: (namespace: string, name: string, kind: string, role: string, ...subjects: TestSubject[]) =>
      put('rolebindings', 'RoleBinding', namespace, name, { roleRef: { kind, name: role }, subjects }),
    bindEverywhere: (name: string, role: string, ...subjects: TestSubject[]) =>
      put('clusterrolebindings', 'ClusterRoleBinding', '', name, {
        roleRef: { kind: 'ClusterRole', name: role },
        subjects,
      }),
    remove: (resource: string, namespace: string, name: string) =>
      store.update(`${rbacGroup}/${resource}/${namespace}/${name}`, () => ({ remove: true })),
    change: (resource: string, namespace: string, name: string, change: object) =>
      store.update(`${rbacGroup}/${resource}/${namespace}/${name}`, ({ value }) => ({
        write: { ...structuredClone(value), ...change },
      })),
  };
}

export type RbacWorld = Awaited<ReturnType<typeof rbacWorld>>;
