import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  customResourceDefinitions,
  defineResource,
  podDisruptionBudgets,
  pods,
  replicaSets,
} from '../runtime/resources.ts';
import { type Cluster, namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

const flocks = defineResource('example.com', 'v1', 'flocks', 'Flock');

/** Custom objects, with a scale or without. */
async function serveFlocks(): Promise<void> {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const replicas = { type: 'object', properties: { replicas: { type: 'integer' } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: replicas, status: replicas } } };
  const versions = [{ name: 'v1', served: true, storage: true, schema, subresources: { scale } }];
  const spec = { group: 'example.com', scope: 'Namespaced', names: { plural: 'flocks', kind: 'Flock' }, versions };
  await cluster.client.create(customResourceDefinitions, { metadata: { name: 'flocks.example.com' }, spec }, {});
  await eventually(() => cluster.client.list(flocks, { namespace }).catch(() => undefined));
}

test('a budget of a share is of what a custom kind wants of its pods, as its scale says', async () => {
  const { client } = cluster;
  await serveFlocks();
  const flock = { apiVersion: 'example.com/v1', kind: 'Flock', metadata: { name: 'f' }, spec: { replicas: 5 } };
  const { uid = '' } = (await client.create(flocks, flock, { namespace })).metadata ?? {};
  const labels = { app: 'flock' };
  const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Flock', name: 'f', uid, controller: true }];
  for (const name of ['a', 'b', 'c'])
    await client.create(
      pods,
      { metadata: { name, labels, ownerReferences }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      { namespace },
    );
  const spec = { minAvailable: '60%', selector: { matchLabels: labels } };
  await client.create(podDisruptionBudgets, { metadata: { name: 'b' }, spec }, { namespace });
  const status = await eventually(async () => {
    const now = (await client.get(podDisruptionBudgets, { namespace, name: 'b' })).status;
    return now?.currentHealthy === 3 ? now : undefined;
  });
  expect(status).toMatchObject({ expectedPods: 5, desiredHealthy: 3, disruptionsAllowed: 0 });
});

test('the size of a set is that of its own pods alone, and not of those that one of its name has left', async () => {
  const { client } = cluster;
  const labels = { app: 'left' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const set = { metadata: { name: 'left' }, spec: { replicas: 0, selector: { matchLabels: labels }, template } };
  await client.create(replicaSets, set, { namespace });
  const ownerReferences = [
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'left', uid: 'earlier', controller: true },
  ];
  const pod = { metadata: { name: 'left-a', labels, ownerReferences }, spec: template.spec };
  await client.create(pods, pod, { namespace });
  const spec = { maxUnavailable: 1, selector: { matchLabels: labels } };
  await client.create(podDisruptionBudgets, { metadata: { name: 'left' }, spec }, { namespace });
  const conditions = await eventually(async () => {
    const { status } = await client.get(podDisruptionBudgets, { namespace, name: 'left' });
    return status?.conditions;
  });
  expect(conditions).toMatchObject([{ type: 'DisruptionAllowed', reason: 'SyncFailed' }]);
});
