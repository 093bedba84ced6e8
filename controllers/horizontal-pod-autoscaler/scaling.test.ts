import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  customResourceDefinitions,
  deployments,
  horizontalPodAutoscalers,
  type PodMetrics,
  podMetrics,
  pods,
} from '../runtime/resources.ts';
import { type Cluster, namespace, startCluster } from '../testing/cluster.fixture.ts';
import { eventually } from '../testing/lab.fixture.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

const labels = { app: 'web' };
const place = { namespace, name: 'web' };

/** Metrics as custom objects: whoever serves them, they look the same. */
async function serveMetrics(): Promise<void> {
  const schema = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  await cluster.client.create(
    customResourceDefinitions,
    {
      metadata: {
        name: 'pods.metrics.k8s.io',
        annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
      },
      spec: {
        group: 'metrics.k8s.io',
        scope: 'Namespaced',
        names: { plural: 'pods', kind: 'PodMetrics' },
        versions: [{ name: 'v1beta1', served: true, storage: true, schema }],
      },
    },
    {},
  );
  await eventually(() => cluster.client.list(podMetrics, { namespace }).catch(() => undefined));
}

const conditionOf = async (type: string) => {
  const { status } = await cluster.client.get(horizontalPodAutoscalers, place);
  return status?.conditions?.find((condition) => condition.type === type);
};

/** Changes something of the autoscaler, so that it is looked at now. */
const look = (turn: number) =>
  cluster.client.patch(horizontalPodAutoscalers, place, { metadata: { annotations: { turn: String(turn) } } });

test('a deployment gets the pods that its use asks for, once there are metrics', async () => {
  const { client } = cluster;
  const container = { name: 'main', image: 'web:1', resources: { requests: { cpu: '100m' } } };
  const template = { metadata: { labels }, spec: { containers: [container] } };
  const deployment = { metadata: { name: 'web' }, spec: { replicas: 2, selector: { matchLabels: labels }, template } };
  await client.create(deployments, deployment, { namespace });
  await eventually(async () => {
    const { status } = await client.get(deployments, place);
    return status?.readyReplicas === 2 ? true : undefined;
  });
  const target = { type: 'AverageValue', averageValue: '64Mi' };
  const spec = {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    maxReplicas: 5,
    metrics: [{ type: 'Resource', resource: { name: 'memory', target } }],
  };
  await client.create(horizontalPodAutoscalers, { metadata: { name: 'web' }, spec }, { namespace });
  const silent = await eventually(() => conditionOf('ScalingActive'));
  expect(silent).toMatchObject({ status: 'False', reason: 'FailedGetResourceMetric' });
  expect(silent.message).toContain('no metrics API');

  await serveMetrics();
  for (const { metadata } of (await client.list(pods, { namespace, labelSelector: 'app=web' })).items) {
    const metric: PodMetrics = {
      metadata: { name: metadata?.name ?? '', labels },
      timestamp: new Date().toISOString(),
      window: '10s',
      containers: [{ name: 'main', usage: { memory: '128Mi' } }],
    };
    await client.create(
      podMetrics,
      { apiVersion: 'metrics.k8s.io/v1beta1', kind: 'PodMetrics', ...metric },
      { namespace },
    );
  }
  await look(1);
  const status = await eventually(async () => {
    const { status } = await client.get(horizontalPodAutoscalers, place);
    return status?.desiredReplicas === 4 ? status : undefined;
  });
  expect((await client.get(deployments, place)).spec?.replicas).toBe(4);
  expect(status).toMatchObject({
    desiredReplicas: 4,
    currentMetrics: [{ resource: { name: 'memory', current: { averageValue: '128Mi' } } }],
  });
});

test('a target that nobody serves is told of', async () => {
  const spec = { scaleTargetRef: { apiVersion: 'example.com/v1', kind: 'Fleet', name: 'f' }, maxReplicas: 2 };
  await cluster.client.create(horizontalPodAutoscalers, { metadata: { name: 'fleet' }, spec }, { namespace });
  const told = await eventually(async () => {
    const { status } = await cluster.client.get(horizontalPodAutoscalers, { namespace, name: 'fleet' });
    return status?.conditions?.find(({ type }) => type === 'AbleToScale');
  });
  expect(told).toMatchObject({ status: 'False', reason: 'FailedGetScale' });
  expect(told.message).toContain('no kind Fleet is served in example.com/v1');
});
