import { afterAll, beforeAll, expect, test } from 'vitest';
import { unlessNotFound } from './runtime/api-error.ts';
import {
  configMaps,
  endpointSlices,
  endpoints,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  secrets,
  services,
} from './runtime/resources.ts';
import { type Cluster, namespace, startCluster } from './testing/cluster.fixture.ts';
import { eventually } from './testing/lab.fixture.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ controllers: ['*', 'bootstrapsigner'] });
});
afterAll(() => cluster.stop());

test('a claim is bound to a volume, which is released after it', async () => {
  const { client } = cluster;
  const spec = {
    capacity: { storage: '2Gi' },
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'manual',
    hostPath: { path: '/data' },
  };
  await client.create(persistentVolumes, { metadata: { name: 'v' }, spec }, {});
  const phase = (wanted: string) =>
    eventually(async () => {
      const found = await client.get(persistentVolumes, { name: 'v' });
      return found.status?.phase === wanted ? found : undefined;
    });
  await phase('Available');
  const claim = {
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'manual', resources: { requests: { storage: '1Gi' } } },
  };
  await client.create(persistentVolumeClaims, claim, { namespace });
  const bound = await eventually(async () => {
    const found = await client.get(persistentVolumeClaims, { namespace, name: 'c' });
    return found.status?.phase === 'Bound' ? found : undefined;
  });
  expect(bound.spec?.volumeName).toBe('v');
  expect(bound.status?.capacity).toEqual({ storage: '2Gi' });
  expect((await phase('Bound')).spec?.claimRef).toMatchObject({ namespace, name: 'c', uid: bound.metadata?.uid });
  await client.delete(persistentVolumeClaims, { namespace, name: 'c' });
  await phase('Released');
});

test('a volume that is deleted while it is bound goes after its claim', async () => {
  const { client } = cluster;
  const common = { accessModes: ['ReadWriteOnce'], storageClassName: 'kept' };
  const spec = { ...common, capacity: { storage: '1Gi' }, hostPath: { path: '/data' } };
  await client.create(persistentVolumes, { metadata: { name: 'k' }, spec }, {});
  const claim = { metadata: { name: 'k' }, spec: { ...common, resources: { requests: { storage: '1Gi' } } } };
  await client.create(persistentVolumeClaims, claim, { namespace });
  await eventually(async () => {
    const { metadata, status } = await client.get(persistentVolumes, { name: 'k' });
    const isProtected = metadata?.finalizers?.includes('kubernetes.io/pv-protection');
    return (status?.phase === 'Bound' && isProtected) || undefined;
  });
  await client.delete(persistentVolumes, { name: 'k' });
  expect((await client.get(persistentVolumes, { name: 'k' })).metadata?.deletionTimestamp).toBeDefined();
  await client.delete(persistentVolumeClaims, { namespace, name: 'k' });
  await cluster.gone(persistentVolumes, 'k', '');
});

test('endpoints kept by hand are mirrored, and their mirror goes with them', async () => {
  const { client } = cluster;
  await client.create(services, { metadata: { name: 'db' }, spec: { ports: [{ port: 5432 }] } }, { namespace });
  const subsets = [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ port: 5432 }] }];
  await client.create(endpoints, { metadata: { name: 'db' }, subsets }, { namespace });
  const slices = async () =>
    (await client.list(endpointSlices, { namespace, labelSelector: 'kubernetes.io/service-name=db' })).items;
  const [slice] = await eventually(async () => ((await slices()).length === 1 ? slices() : undefined));
  expect(slice?.endpoints?.map(({ addresses }) => addresses)).toEqual([['192.0.2.7']]);
  await client.delete(endpoints, { namespace, name: 'db' });
  await eventually(async () => ((await slices()).length === 0 ? true : undefined));
});

test('a budget tells how many pods may go, and an eviction is granted by it', async () => {
  const { client } = cluster;
  const labels = { app: 'guarded' };
  for (const name of ['one', 'two']) {
    const spec = { containers: [{ name: 'main', image: 'b' }] };
    await client.create(pods, { metadata: { name, labels }, spec }, { namespace });
  }
  const spec = { minAvailable: 1, selector: { matchLabels: labels } };
  await client.create(podDisruptionBudgets, { metadata: { name: 'guard' }, spec }, { namespace });
  const allowed = (count: number) =>
    eventually(async () => {
      const { status } = await client.get(podDisruptionBudgets, { namespace, name: 'guard' });
      return status?.disruptionsAllowed === count && status.currentHealthy === count + 1 ? status : undefined;
    });
  await allowed(1);
  await client.create(pods, { metadata: { name: 'one' } }, { namespace, name: 'one', part: 'eviction' });
  await allowed(0);
  const refused = client.create(pods, { metadata: { name: 'two' } }, { namespace, name: 'two', part: 'eviction' });
  await expect(refused).rejects.toThrow(/disruption/);
});

test('a pod that does not tolerate a new taint of its node leaves it, and a node is told what it may keep', async () => {
  const { client } = cluster;
  const spec = { containers: [{ name: 'main', image: 'b' }] };
  await client.create(pods, { metadata: { name: 'delicate' }, spec }, { namespace });
  const found = await eventually(async () => {
    const pod = await client.get(pods, { namespace, name: 'delicate' });
    return pod.status?.phase === 'Running' ? pod : undefined;
  });
  const name = found.spec?.nodeName ?? '';
  const node = await eventually(async () => {
    const each = await client.get(nodes, { name });
    return each.metadata?.annotations?.['node.alpha.kubernetes.io/ttl'] === undefined ? undefined : each;
  });
  expect(node.metadata?.annotations).toMatchObject({ 'node.alpha.kubernetes.io/ttl': '0' });
  await client.patch(nodes, { name }, { spec: { taints: [{ key: 'out', effect: 'NoExecute' }] } });
  await cluster.gone(pods, 'delicate');
  await client.patch(nodes, { name }, { spec: { taints: null } });
});

test('the configuration of new nodes is signed by a bootstrap token', async () => {
  const { client } = cluster;
  const where = { namespace: 'kube-public' };
  const stringData = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true' };
  const secret = { metadata: { name: 'bootstrap-token-abcdef' }, type: 'bootstrap.kubernetes.io/token', stringData };
  await client.create(secrets, secret, { namespace: 'kube-system' });
  await client.create(configMaps, { metadata: { name: 'cluster-info' }, data: { kubeconfig: 'text' } }, where);
  const signature = async () =>
    (await unlessNotFound(client.get(configMaps, { ...where, name: 'cluster-info' })))?.data?.['jws-kubeconfig-abcdef'];
  expect(await eventually(signature)).toMatch(/^[\w-]+\.\.[\w-]{43}$/);
  await client.delete(secrets, { namespace: 'kube-system', name: 'bootstrap-token-abcdef' });
  await eventually(async () => ((await signature()) ? undefined : true));
});
