import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Deployment,
  deployments,
  namespaces,
  pods,
  replicaSets,
  replicationControllers,
  resourceQuotas,
} from './runtime/resources.ts';
import { type Cluster, startCluster } from './testing/cluster.fixture.ts';
import { eventually } from './testing/lab.fixture.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'web:1' }] } };

/** A namespace of its own. */
async function room(namespace: string, hard?: Record<string, string>) {
  await cluster.client.create(namespaces, { metadata: { name: namespace } }, {});
  if (hard) await cluster.client.create(resourceQuotas, { metadata: { name: 'q' }, spec: { hard } }, { namespace });
  await eventually(async () => {
    if (!hard) return true;
    const { status } = await cluster.client.get(resourceQuotas, { namespace, name: 'q' });
    return status?.hard ? true : undefined;
  });
  return { namespace, name: 'web' };
}

describe('a quota for two pods', () => {
  const kinds = [
    ['a replica set', replicaSets, { matchLabels: labels }],
    ['a replication controller', replicationControllers, labels],
    ['a deployment', deployments, { matchLabels: labels }],
  ] as const;

  test.each(kinds)('is told of in the status of %s, until there is room', async (_, resource, selector) => {
    const place = await room(`quota-${resource.plural}`, { pods: '2' });
    const spec = { replicas: 3, selector, template };
    await cluster.client.create<Deployment>(
      resource as typeof deployments,
      { metadata: { name: 'web' }, spec },
      { namespace: place.namespace },
    );
    const failure = async () => {
      const { status } = await cluster.client.get<Deployment>(resource as typeof deployments, place);
      return status?.conditions?.find(({ type }) => type === 'ReplicaFailure');
    };
    const told = await eventually(failure);
    expect(told).toMatchObject({ status: 'True', reason: 'FailedCreate' });
    expect(told.message).toContain('exceeded quota');
    expect((await cluster.client.list(pods, { namespace: place.namespace })).items).toHaveLength(2);
    await cluster.client.patch(resource as typeof deployments, place, { spec: { replicas: 2 } });
    await eventually(async () => ((await failure()) ? undefined : true));
  });
});

test('a new deployment is of generation 1, and has its revision', async () => {
  const place = await room('generations');
  const spec = { replicas: 2, selector: { matchLabels: labels }, template };
  await cluster.client.create(deployments, { metadata: { name: 'web' }, spec }, { namespace: place.namespace });
  const found = await eventually(async () => {
    const deployment = await cluster.client.get(deployments, place);
    return deployment.status?.availableReplicas === 2 ? deployment : undefined;
  });
  expect(found.metadata?.generation).toBe(1);
  expect(found.status?.observedGeneration).toBe(1);
  expect(found.metadata?.annotations).toMatchObject({ 'deployment.kubernetes.io/revision': '1' });
});
