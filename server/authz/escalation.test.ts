import { beforeEach, describe, expect, it } from 'vitest';
import type { AdmissionAttributes } from '../admission/admission.ts';
import { AdmissionTable } from '../admission/table.ts';
import type { KubeObject } from '../base/kube-object.ts';
import { carryOut } from '../base/turns/work.ts';
import { rbacGroup } from '../kinds/rbac/policy-rules.ts';
import { escalationCheck } from './escalation.ts';
import { type RbacWorld, rbacWorld, somebody, user } from './rbac.fixture.ts';

let world: RbacWorld;
beforeEach(async () => {
  world = await rbacWorld();
});

const bob = somebody('bob', 'system:authenticated');
const readPods = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const readSecrets = { verbs: ['get'], apiGroups: [''], resources: ['secrets'] };

const object = (kind: string, name: string, rest: object): KubeObject => ({
  kind,
  apiVersion: `${rbacGroup}/v1`,
  metadata: { name, namespace: 'ns' },
  ...rest,
});
const role = (name: string, ...rules: object[]) => object('Role', name, { rules });
const binding = (name: string, kind: string, to: string) =>
  object('RoleBinding', name, { roleRef: { apiGroup: rbacGroup, kind, name: to } });

async function write(resource: string, next: KubeObject, more: Partial<AdmissionAttributes> = {}) {
  const plugin = escalationCheck({ index: world.index, rbac: world.rbac, authorizer: world.rbac });
  const attributes: AdmissionAttributes = {
    operation: more.oldObject ? 'UPDATE' : 'CREATE',
    kind: { group: rbacGroup, version: 'v1', kind: next.kind },
    resource: { group: rbacGroup, version: 'v1', resource },
    subresource: '',
    namespace: 'ns',
    name: next.metadata.name ?? '',
    user: bob,
    dryRun: false,
    options: () => undefined,
    object: next,
    oldObject: undefined,
    warn: () => {},
    annotate: () => {},
    onAbandon: () => {},
    ...more,
  };
  const subject = { group: attributes.resource.group, plural: attributes.resource.resource };
  const table = new AdmissionTable([plugin]);
  const passes = table.passes(attributes.operation, subject, attributes.subresource);
  if (passes.mutates) await carryOut(passes.mutate(attributes));
}

const grant = async (...rules: object[]) => {
  await world.role('ns', 'held', ...(rules as never[]));
  await world.bind('ns', 'held', 'Role', 'held', user('bob'));
};
const onRbac = (verb: string, resource: string, ...resourceNames: string[]) => ({
  verbs: [verb],
  apiGroups: [rbacGroup],
  resources: [resource],
  ...(resourceNames.length && { resourceNames }),
});

describe('roles', () => {
  it('may hold what the writer holds', async () => {
    await grant(readPods);
    await expect(write('roles', role('r', readPods))).resolves.toBeUndefined();
    await expect(write('roles', role('r'))).resolves.toBeUndefined();
  });

  it('may not hold more, and the refusal lists what is missing in sorted lines', async () => {
    await grant(readPods);
    await expect(
      write('roles', role('more', readPods, readSecrets, { ...readSecrets, apiGroups: ['apps'] })),
    ).rejects.toMatchObject({
      status: {
        code: 403,
        reason: 'Forbidden',
        details: { name: 'more', group: rbacGroup, kind: 'roles' },
        message:
          'roles.rbac.authorization.k8s.io "more" is forbidden: user "bob" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
          '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}\n{APIGroups:["apps"], Resources:["secrets"], Verbs:["get"]}',
      },
    });
  });

  it('tells of bindings whose role is not there', async () => {
    await world.bind('ns', 'broken', 'Role', 'gone', user('bob'));
    await expect(write('roles', role('r', readPods))).rejects.toThrow(
      'Verbs:["get"]}; resolution errors: [roles.rbac.authorization.k8s.io "gone" not found]',
    );
  });

  it('may hold more for one who has the verb escalate, by name only once the role is there', async () => {
    await grant(onRbac('escalate', 'roles', 'named'));
    await expect(write('roles', role('named', readPods))).rejects.toThrow('not currently held');
    await expect(write('roles', role('named', readPods), { oldObject: role('named') })).resolves.toBeUndefined();
    await expect(write('roles', role('other', readPods), { oldObject: role('other') })).rejects.toThrow();
  });

  it('are checked with every change, except what garbage collection changes', async () => {
    const before = role('r', readSecrets);
    const labelled = { ...before, metadata: { ...before.metadata, labels: { a: 'b' } } };
    const released = { ...before, metadata: { ...before.metadata, finalizers: ['x/y'] } };
    await expect(write('roles', labelled, { oldObject: before })).rejects.toThrow();
    await expect(write('roles', before, { oldObject: released })).resolves.toBeUndefined();
    await expect(write('roles', { ...before }, { oldObject: before })).resolves.toBeUndefined();
  });

  it('may gather others only by one who holds everything', async () => {
    const aggregated = object('ClusterRole', 'c', { aggregationRule: { clusterRoleSelectors: [{}] } });
    await expect(write('clusterroles', aggregated, { namespace: '' })).rejects.toThrow('APIGroups:["*"]');
    const empty = object('ClusterRole', 'c', { aggregationRule: {} });
    await expect(write('clusterroles', empty, { namespace: '' })).resolves.toBeUndefined();
    await world.clusterRole(
      'all',
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    );
    await world.bindEverywhere('all', 'all', user('bob'));
    await expect(write('clusterroles', aggregated, { namespace: '' })).resolves.toBeUndefined();
  });
});

describe('bindings', () => {
  it('may be to roles whose rules the writer holds, or that have none', async () => {
    await grant(readPods);
    await world.role('ns', 'small', readPods);
    await world.role('ns', 'empty');
    await expect(write('rolebindings', binding('b', 'Role', 'small'))).resolves.toBeUndefined();
    await expect(write('rolebindings', binding('b', 'Role', 'empty'))).resolves.toBeUndefined();
  });

  it('may not be to roles that hold more', async () => {
    await world.clusterRole('large', readSecrets);
    await expect(write('rolebindings', binding('b', 'ClusterRole', 'large'))).rejects.toMatchObject({
      status: { code: 403, details: { kind: 'rolebindings', name: 'b' } },
    });
  });

  it('are not found when the role is not there', async () => {
    await expect(write('rolebindings', binding('b', 'Role', 'gone'))).rejects.toMatchObject({
      status: { code: 404, details: { kind: 'roles', name: 'gone', group: rbacGroup } },
    });
  });

  it('may be to any role, also one that is not there, for one who has the verb bind on it', async () => {
    await grant(onRbac('bind', 'clusterroles', 'large', 'later'));
    await world.clusterRole('large', readSecrets);
    await world.clusterRole('other', readSecrets);
    await expect(write('rolebindings', binding('b', 'ClusterRole', 'large'))).resolves.toBeUndefined();
    await expect(write('rolebindings', binding('b', 'ClusterRole', 'later'))).resolves.toBeUndefined();
    await expect(write('rolebindings', binding('b', 'ClusterRole', 'other'))).rejects.toThrow();
  });

  it('across the cluster need rights across the cluster', async () => {
    await grant(readPods);
    await world.clusterRole('small', readPods);
    const everywhere = object('ClusterRoleBinding', 'b', { roleRef: { kind: 'ClusterRole', name: 'small' } });
    await expect(write('clusterrolebindings', everywhere, { namespace: '' })).rejects.toThrow('not currently held');
  });
});

it('leaves administrators, other groups, deletes and subresources alone', async () => {
  const root = somebody('root', 'system:masters');
  await expect(write('rolebindings', binding('b', 'Role', 'gone'), { user: root })).resolves.toBeUndefined();
  await expect(write('roles', role('r', readPods), { operation: 'DELETE' })).resolves.toBeUndefined();
  const elsewhere = { group: 'example.com', version: 'v1', resource: 'roles' };
  await expect(write('roles', role('r', readPods), { resource: elsewhere })).resolves.toBeUndefined();
});
