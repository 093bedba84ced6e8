import { beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../base/user.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { admitted, attributesFor, bob, type PluginWorld, pluginWorld, type Sketch } from '../plugins.fixture.ts';
import { nodeRestriction } from './node-restriction.ts';

let world: PluginWorld;
beforeEach(async () => {
  world = await pluginWorld();
  await world.put('nodes', { metadata: { name: 'n1', uid: 'u' } });
  await world.put('pods', { metadata: { name: 'mine', namespace: 'ns', uid: 'u1' }, spec: { nodeName: 'n1' } });
  await world.put('pods', { metadata: { name: 'theirs', namespace: 'ns', uid: 'u2' }, spec: { nodeName: 'n2' } });
});

const agent: User = { name: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} };
const refused = async (resource: string, sketch: Sketch, more: Partial<AdmissionAttributes> = {}) => {
  const { refusal } = await admitted(nodeRestriction(world), attributesFor(resource, sketch, { user: agent, ...more }));
  return refusal?.message?.replace(/^.* is forbidden: /, '');
};

describe('pods', () => {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u', controller: true };
  const mirror = (spec: object = {}, metadata: object = {}) => ({
    metadata: {
      name: 'm',
      namespace: 'ns',
      annotations: { 'kubernetes.io/config.mirror': 'x' },
      ownerReferences: [owner],
      ...metadata,
    },
    spec: { nodeName: 'n1', containers: [{ name: 'c' }], ...spec },
  });

  it.each<[string, Sketch, string | undefined]>([
    ['its mirror', mirror(), undefined],
    [
      'no mirror',
      mirror({}, { annotations: {} }),
      'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
    ],
    [
      'the mirror of another node',
      mirror({ nodeName: 'n2' }),
      'node "n1" can only create pods with spec.nodeName set to itself',
    ],
    [
      'a mirror of nobody',
      mirror({}, { ownerReferences: [] }),
      'node "n1" can only create pods with an owner reference set to itself',
    ],
    [
      'a mirror of another owner',
      mirror({}, { ownerReferences: [{ ...owner, name: 'n2' }] }),
      'node "n1" can only create pods with an owner reference set to itself',
    ],
    [
      'a mirror of the node and another',
      mirror({}, { ownerReferences: [owner, { ...owner, controller: false, name: 'n2' }] }),
      'node "n1" creates pods that it owns alone, and this one has 2 owners',
    ],
    [
      'a mirror that the node does not control',
      mirror({}, { ownerReferences: [{ ...owner, controller: false }] }),
      'node "n1" creates pods of which it is the controller',
    ],
    [
      'a mirror of what the node was before',
      mirror({}, { ownerReferences: [{ ...owner, uid: 'old' }] }),
      'the owner has the uid old, and node "n1" has u',
    ],
    [
      'one with an account',
      mirror({ serviceAccountName: 'a' }),
      'node "n1" can not create pods that reference a service account',
    ],
    [
      'one with a secret',
      mirror({ imagePullSecrets: [{ name: 's' }] }),
      'node "n1" can not create pods that reference secrets',
    ],
    [
      'one with a config map',
      mirror({ volumes: [{ name: 'v', projected: { sources: [{ configMap: { name: 'c' } }] } }] }),
      'node "n1" can not create pods that reference configmaps',
    ],
    [
      'one with a claim',
      mirror({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }),
      'node "n1" can not create pods that reference persistentvolumeclaims',
    ],
  ])('are created when they are %s', async (_, sketch, expected) => {
    expect(await refused('pods', sketch)).toBe(expected);
  });

  it('are not created before the node is registered', async () => {
    await world.remove('nodes', '', 'n1');
    expect(await refused('pods', mirror())).toBe('nodes "n1" not found');
  });

  const stored = (nodeName: string, labels = {}) => ({
    metadata: { name: 'p', namespace: 'ns', labels },
    spec: { nodeName },
  });

  it('are deleted and evicted by their node alone', async () => {
    const remove = (nodeName: string) =>
      refused('pods', {}, { operation: 'DELETE', object: undefined, oldObject: stored(nodeName) as never });
    expect(await remove('n1')).toBeUndefined();
    expect(await remove('n2')).toBe('node "n1" can only delete pods with spec.nodeName set to itself');
    expect(await refused('pods', {}, { subresource: 'eviction', name: 'mine' })).toBeUndefined();
    expect(await refused('pods', {}, { subresource: 'eviction', name: 'theirs' })).toBe(
      'node "n1" can only evict pods with spec.nodeName set to itself',
    );
    expect(await refused('pods', {}, { subresource: 'eviction', name: 'gone' })).toBeUndefined();
  });

  it('get their status from their node, labels left alone', async () => {
    const status = (next: object, old: object) =>
      refused('pods', next as Sketch, { subresource: 'status', oldObject: old as never });
    expect(await status(stored('n1'), stored('n1'))).toBeUndefined();
    expect(await status(stored('n2'), stored('n2'))).toBe(
      'node "n1" can only update pod status for pods with spec.nodeName set to itself',
    );
    expect(await status(stored('n1', { a: 'b' }), stored('n1'))).toBe(
      'node "n1" cannot update labels through pod status',
    );
  });

  it('are not written otherwise', async () => {
    expect(await refused('pods', stored('n1'), { oldObject: stored('n1') as never })).toContain('unexpected operation');
    expect(await refused('pods', stored('n1'), { subresource: 'binding' })).toContain(
      'unexpected pod subresource "binding"',
    );
  });
});

describe('nodes', () => {
  const node = (labels: Record<string, string> = {}, spec: object = {}, name = 'n1') => ({
    metadata: { name, labels },
    spec,
  });
  const gone = { apiVersion: 'v1', kind: 'Namespace', name: 'gone', uid: 'gone' };
  const owned = { ...node(), metadata: { name: 'n1', ownerReferences: [gone] } };

  it.each<[string, Sketch, Sketch | undefined, string | undefined]>([
    ['its own', node({ 'kubernetes.io/hostname': 'n1', 'node.kubernetes.io/x': 'y', mine: 'x' }), undefined, undefined],
    ['another one', node({}, {}, 'n2'), undefined, 'node "n1" is not allowed to modify node "n2"'],
    [
      'labels of the system',
      node({ 'kubernetes.io/role': 'x', 'example.k8s.io/y': 'z' }),
      undefined,
      'node "n1" is not allowed to set the following labels: example.k8s.io/y, kubernetes.io/role',
    ],
    [
      'labels that isolate',
      node({ 'a.node-restriction.kubernetes.io/x': 'y' }),
      undefined,
      'node "n1" is not allowed to set the following labels: a.node-restriction.kubernetes.io/x',
    ],
    ['an update', node({ mine: 'y' }, { unschedulable: true }), node({ mine: 'x' }), undefined],
    [
      'a label taken off',
      node(),
      node({ 'kubernetes.io/role': 'x' }),
      'node "n1" is not allowed to modify labels: kubernetes.io/role',
    ],
    ['taints', node({}, { taints: [{ key: 'k' }] }), node(), 'node "n1" is not allowed to modify taints'],
    ['owners, without whom it would go', owned, node(), 'node "n1" is not allowed to modify ownerReferences'],
    ['what has owners already', owned, owned, undefined],
  ])('write %s', async (_, next, old, expected) => {
    expect(await refused('nodes', next, { namespace: '', ...(old && { oldObject: old as never }) })).toBe(expected);
  });
});

describe('tokens', () => {
  const ask = (boundObjectRef?: object) =>
    refused(
      'serviceaccounts',
      { spec: { ...(boundObjectRef && { boundObjectRef }) } },
      { subresource: 'token', name: 'a' },
    );
  const pod = { apiVersion: 'v1', kind: 'Pod' };

  it.each<[string, object | undefined, string | undefined]>([
    ['a pod of the node', { ...pod, name: 'mine', uid: 'u1' }, undefined],
    ['nothing', undefined, 'node requested token not bound to a pod'],
    ['a secret', { apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'u' }, 'node requested token not bound to a pod'],
    ['a pod without uid', { ...pod, name: 'mine' }, 'node requested token with a pod binding without a uid'],
    [
      'a pod that is gone',
      { ...pod, name: 'gone', uid: 'u' },
      'node requested token bound to a pod that does not exist: gone',
    ],
    [
      'a pod of another node',
      { ...pod, name: 'theirs', uid: 'u2' },
      'node requested token bound to a pod scheduled on a different node',
    ],
  ])('are bound to %s', async (_, ref, expected) => {
    expect(await ask(ref)).toBe(expected);
  });

  it('are bound to the pod that is meant', async () => {
    expect(await ask({ ...pod, name: 'mine', uid: 'old' })).toContain('does not match the UID in record');
  });
});

it.each<[string, string, Sketch, Partial<AdmissionAttributes>, string | undefined]>([
  [
    'its lease',
    'leases.coordination.k8s.io',
    { metadata: { name: 'n1' } },
    { namespace: 'kube-node-lease' },
    undefined,
  ],
  [
    'another lease',
    'leases.coordination.k8s.io',
    { metadata: { name: 'n2' } },
    { namespace: 'kube-node-lease' },
    'can only access node lease with the same name as the requesting node',
  ],
  [
    'a lease elsewhere',
    'leases.coordination.k8s.io',
    { metadata: { name: 'n1' } },
    {},
    'can only access leases in the "kube-node-lease" system namespace',
  ],
  [
    'another CSINode',
    'csinodes.storage.k8s.io',
    { metadata: { name: 'n2' } },
    {},
    'can only access CSINode with the same name as the requesting node',
  ],
  ['a claim', 'persistentvolumeclaims', {}, {}, 'may only update PVC status'],
  ['the status of a claim', 'persistentvolumeclaims', {}, { subresource: 'status', operation: 'UPDATE' }, undefined],
  ['an event', 'events', {}, {}, undefined],
])('nodes write %s', async (_, resource, sketch, more, expected) => {
  expect(await refused(resource, sketch, more)).toBe(expected);
});

it('is about node agents alone', async () => {
  const pod = { metadata: { name: 'p', namespace: 'ns' }, spec: {} };
  expect(await refused('pods', pod, { user: bob })).toBeUndefined();
  expect(await refused('pods', pod, { user: { ...agent, groups: [] } })).toBeUndefined();
});

describe('of claims', () => {
  const claim = (status: object, more: object = {}) => ({
    kind: 'Any',
    apiVersion: 'v1',
    metadata: { name: 'c', namespace: 'ns', labels: { a: 'b' }, managedFields: [], ...more },
    spec: { volumeName: 'v' },
    status: { phase: 'Bound', ...status },
  });
  const old = claim({ capacity: { storage: '1Gi' } });
  const beyond = 'node "n1" tells of claims nothing but status.capacity and status.conditions';

  it.each<[string, Sketch, string | undefined]>([
    ['size and conditions', claim({ capacity: { storage: '2Gi' }, conditions: [{ type: 'Resizing' }] }), undefined],
    ['who manages what', claim({}, { managedFields: [{ manager: 'm' }], resourceVersion: '7' }), undefined],
    ['no phase', claim({ phase: 'Lost' }), beyond],
    ['no labels', claim({}, { labels: {} }), beyond],
    ['no spec', { ...claim({}), spec: { volumeName: 'w' } }, beyond],
  ])('nodes write %s', async (_, next, expected) => {
    const status = { subresource: 'status', oldObject: old as never };
    expect(await refused('persistentvolumeclaims', next, status)).toBe(expected);
  });
});
