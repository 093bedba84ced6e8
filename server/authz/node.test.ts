import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../store/memory-store.ts';
import type { Subscription } from '../store/store.ts';
import type { Authorizer } from './authorizer.ts';
import { nodeAuthorizer } from './node.ts';
import { NodeRelations } from './node-relations.ts';
import { asks, somebody } from './rbac.fixture.ts';

let store: MemoryStore;
let authorizer: Authorizer;
let following: Pick<Subscription, 'stop'>;
beforeEach(async () => {
  store = new MemoryStore();
  const relations = new NodeRelations();
  following = await relations.follow(store);
  authorizer = nodeAuthorizer(relations, [
    { verbs: ['get', 'list'], apiGroups: [''], resources: ['nodes', 'services'] },
  ]);
});

const node = somebody('system:node:n1', 'system:nodes', 'system:authenticated');
const may = (verb: string, resource: string, more: object = {}, who = node) =>
  (authorizer.authorize(who, asks(verb, resource, { namespace: 'ns', ...more })) as { decision: string }).decision ===
  'allow';

const pod = (name: string, spec: object, annotations = {}) =>
  store.create(`/pods/ns/${name}`, {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name, namespace: 'ns', annotations },
    spec: { nodeName: 'n1', ...spec },
  });

describe('what a pod of the node uses', () => {
  it.each([
    ['a secret volume', { volumes: [{ secret: { secretName: 'x' } }] }, 'secrets'],
    ['a config map volume', { volumes: [{ configMap: { name: 'x' } }] }, 'configmaps'],
    ['a projected secret', { volumes: [{ projected: { sources: [{ secret: { name: 'x' } }] } }] }, 'secrets'],
    ['a projected config map', { volumes: [{ projected: { sources: [{ configMap: { name: 'x' } }] } }] }, 'configmaps'],
    ['a driver secret', { volumes: [{ csi: { nodePublishSecretRef: { name: 'x' } } }] }, 'secrets'],
    ['the secret of a volume', { volumes: [{ cinder: { secretRef: { name: 'x' } } }] }, 'secrets'],
    ['an image pull secret', { imagePullSecrets: [{ name: 'x' }] }, 'secrets'],
    ['an environment variable', { containers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'x' } } }] }] }, 'secrets'],
    ['an environment', { initContainers: [{ envFrom: [{ configMapRef: { name: 'x' } }] }] }, 'configmaps'],
    ['an ephemeral container', { ephemeralContainers: [{ envFrom: [{ secretRef: { name: 'x' } }] }] }, 'secrets'],
    ['a claim', { volumes: [{ persistentVolumeClaim: { claimName: 'x' } }] }, 'persistentvolumeclaims'],
  ])('%s', async (_, spec, resource) => {
    expect(may('get', resource, { name: 'x' })).toBe(false);
    await pod('p', spec);
    expect(may('get', resource, { name: 'x' })).toBe(true);
    expect(may('get', resource, { name: 'x', namespace: 'other' })).toBe(false);
    expect(may('get', resource, { name: 'y' })).toBe(false);
    expect(may('update', resource, { name: 'x' })).toBe(false);
    expect(may('list', resource)).toBe(false);
    expect(may('get', resource, { name: 'x' }, somebody('system:node:n2', 'system:nodes'))).toBe(false);
  });

  it('ends with the last pod that uses it', async () => {
    await pod('p1', { imagePullSecrets: [{ name: 'x' }] });
    await pod('p2', { imagePullSecrets: [{ name: 'x' }] });
    await store.update('/pods/ns/p1', () => ({ remove: true }));
    expect(may('get', 'secrets', { name: 'x' })).toBe(true);
    await store.update('/pods/ns/p2', () => ({ remove: true }));
    expect(may('get', 'secrets', { name: 'x' })).toBe(false);
  });

  /** The volume of the claim `c`. */
  const volume = (csi: object) =>
    store.create('/persistentvolumes//v', {
      kind: 'PersistentVolume',
      apiVersion: 'v1',
      metadata: { name: 'v' },
      spec: { claimRef: { namespace: 'ns', name: 'c' }, csi },
    });

  it('reaches the volume of a claim and the secrets that volume needs', async () => {
    await volume({ nodeStageSecretRef: { name: 's', namespace: 'drivers' } });
    expect(may('get', 'persistentvolumes', { name: 'v', namespace: '' })).toBe(false);
    await pod('p', { volumes: [{ persistentVolumeClaim: { claimName: 'c' } }] });
    expect(may('get', 'persistentvolumes', { name: 'v', namespace: '' })).toBe(true);
    expect(may('get', 'secrets', { name: 's', namespace: 'drivers' })).toBe(true);
    await store.update('/persistentvolumes//v', () => ({ remove: true }));
    expect(may('get', 'secrets', { name: 's', namespace: 'drivers' })).toBe(false);
  });

  it('does not reach what a driver needs elsewhere than on a node', async () => {
    const secret = (name: string) => ({ name, namespace: 'drivers' });
    await volume({
      nodePublishSecretRef: secret('publish'),
      nodeExpandSecretRef: secret('expand'),
      controllerPublishSecretRef: secret('attach'),
      controllerExpandSecretRef: secret('grow'),
    });
    await pod('p', { volumes: [{ persistentVolumeClaim: { claimName: 'c' } }] });
    const reached = ['publish', 'expand', 'attach', 'grow'].filter((name) => may('get', 'secrets', secret(name)));
    expect(reached).toEqual(['publish', 'expand']);
  });

  it('reaches the status of its claims, and nothing else of them', async () => {
    await pod('p', { volumes: [{ persistentVolumeClaim: { claimName: 'c' } }] });
    for (const verb of ['get', 'update', 'patch'])
      expect(may(verb, 'persistentvolumeclaims/status', { name: 'c' })).toBe(true);
    expect(may('delete', 'persistentvolumeclaims/status', { name: 'c' })).toBe(false);
    expect(may('patch', 'persistentvolumeclaims/status', { name: 'other' })).toBe(false);
    expect(
      may('patch', 'persistentvolumeclaims/status', { name: 'c' }, somebody('system:node:n2', 'system:nodes')),
    ).toBe(false);
  });

  it('reaches secrets that volumes name without a namespace, by that of their claim, and those that several share', async () => {
    const volume = (name: string, spec: object) =>
      store.create(`/persistentvolumes//${name}`, {
        kind: 'PersistentVolume',
        apiVersion: 'v1',
        metadata: { name },
        spec: { claimRef: { namespace: 'ns', name }, ...spec },
      });
    await volume('a', { azureFile: { secretName: 'shared' } });
    await volume('b', { flexVolume: { secretRef: { name: 'shared' } } });
    await volume('c', { azureFile: { secretName: 'far', secretNamespace: 'other' } });
    await store.create('/persistentvolumes//loose', {
      kind: 'PersistentVolume',
      apiVersion: 'v1',
      metadata: { name: 'loose' },
      spec: { azureFile: { secretName: 'unclaimed' } },
    });
    for (const claimName of ['a', 'b', 'c'])
      await pod(claimName, { volumes: [{ persistentVolumeClaim: { claimName } }] });
    expect(may('get', 'secrets', { name: 'far', namespace: 'other' })).toBe(true);
    expect([may('get', 'secrets', { name: 'far' }), may('get', 'secrets', { name: 'unclaimed' })]).toEqual([
      false,
      false,
    ]);
    expect(may('get', 'persistentvolumes', { name: 'loose', namespace: '' })).toBe(false);
    await store.update('/pods/ns/a', () => ({ remove: true }));
    expect(may('get', 'secrets', { name: 'shared' })).toBe(true);
    await store.update('/persistentvolumes//a', () => ({ remove: true }));
    expect(may('get', 'secrets', { name: 'shared' })).toBe(true);
    await store.update('/persistentvolumes//b', () => ({ remove: true }));
    expect(may('get', 'secrets', { name: 'shared' })).toBe(false);
  });

  it('does not count for pods that the node made up itself, nor for pods of no node', async () => {
    await pod('mirror', { imagePullSecrets: [{ name: 'x' }] }, { 'kubernetes.io/config.mirror': 'yes' });
    await pod('waiting', { nodeName: undefined, imagePullSecrets: [{ name: 'x' }] });
    expect(may('get', 'secrets', { name: 'x' })).toBe(false);
  });
});

it('makes tokens only of accounts that its pods run as', async () => {
  await pod('p', { serviceAccountName: 'robot' });
  expect(may('create', 'serviceaccounts/token', { name: 'robot' })).toBe(true);
  expect(may('create', 'serviceaccounts/token', { name: 'admin' })).toBe(false);
  expect(may('get', 'serviceaccounts', { name: 'robot' })).toBe(false);
});

it('reaches its own lease, CSINode and attachments only', async () => {
  const lease = { group: 'coordination.k8s.io', namespace: 'kube-node-lease' };
  expect(may('update', 'leases', { ...lease, name: 'n1' })).toBe(true);
  expect(may('create', 'leases', lease)).toBe(true);
  expect(may('update', 'leases', { ...lease, name: 'n2' })).toBe(false);
  expect(may('update', 'leases', { ...lease, name: 'n1', namespace: 'kube-system' })).toBe(false);
  expect(may('list', 'leases', lease)).toBe(false);
  const storage = { group: 'storage.k8s.io', namespace: '' };
  expect(may('patch', 'csinodes', { ...storage, name: 'n1' })).toBe(true);
  expect(may('patch', 'csinodes', { ...storage, name: 'n2' })).toBe(false);
  await store.create('storage.k8s.io/volumeattachments//a', {
    kind: 'VolumeAttachment',
    apiVersion: 'storage.k8s.io/v1',
    metadata: { name: 'a' },
    spec: { nodeName: 'n1' },
  });
  expect(may('get', 'volumeattachments', { ...storage, name: 'a' })).toBe(true);
  expect(may('get', 'volumeattachments', { ...storage, name: 'b' })).toBe(false);
  for (const verb of ['list', 'update', 'delete'])
    expect(may(verb, 'volumeattachments', { ...storage, name: 'a' })).toBe(false);
  expect(may('get', 'volumeattachments/status', { ...storage, name: 'a' })).toBe(false);
  await store.update('storage.k8s.io/volumeattachments//a', () => ({ remove: true }));
  expect(may('get', 'volumeattachments', { ...storage, name: 'a' })).toBe(false);
});

it('goes by the rules of nodes elsewhere, and has no opinion on anybody else', () => {
  expect(may('list', 'services')).toBe(true);
  expect(may('delete', 'services')).toBe(false);
  expect(may('list', 'services', {}, somebody('system:node:n1'))).toBe(false);
  expect(may('list', 'services', {}, somebody('bob', 'system:nodes'))).toBe(false);
  following.stop();
});
